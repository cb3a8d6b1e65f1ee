import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"

/** A table for each kind of row. */
type Tables<Rows> = { readonly [K in keyof Rows]: Map<string, Rows[K]> }

type Change<Rows> = { [K in keyof Rows]: readonly [kind: K, id: string, row: Rows[K] | null] }[keyof Rows]

// A process that is killed may leave a last line without its end: that change never happened.
const linesOf = (file: string): ReadonlyArray<string> =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []

const replaceLines = (file: string, lines: ReadonlyArray<string>): void => {
  const complete = `${file}.${process.pid}`
  writeFileSync(complete, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 })
  renameSync(complete, file)
}

/** Holds everything that a stand-in knows, in memory and, if there is one, in a file with a line for each transaction. */
export class StandInLedger<Rows extends object> {
  private readonly tables: Tables<Rows>
  private readonly file: string | undefined
  private changes: Array<readonly [kind: keyof Rows, id: string, row: unknown]> = []
  private undo: Array<() => void> = []

  constructor(tables: Tables<Rows>, file: string | undefined) {
    this.tables = tables
    this.file = file
    if (file === undefined) return
    for (const line of linesOf(file)) {
      const changes: ReadonlyArray<Change<Rows>> = JSON.parse(line)
      for (const [kind, id, row] of changes) this.apply(kind, id, row)
    }
    this.changes = []
    this.undo = []
    const lines: Array<string> = []
    for (const kind in tables) for (const [id, row] of tables[kind]) lines.push(JSON.stringify([[kind, id, row]]))
    replaceLines(file, lines)
  }

  get<K extends keyof Rows>(kind: K, id: string): Rows[K] | undefined {
    return this.tables[kind].get(id)
  }

  /** Returns all rows of a kind, the newest first. */
  all<K extends keyof Rows>(kind: K): ReadonlyArray<Rows[K]> {
    return [...this.tables[kind].values()].reverse()
  }

  put<K extends keyof Rows>(kind: K, id: string, row: Rows[K]): Rows[K] {
    this.apply(kind, id, row)
    return row
  }

  remove(kind: keyof Rows, id: string): void {
    this.apply(kind, id, null)
  }

  /** Stores all changes of `work` together, or none when it throws. */
  transact<A>(work: () => A): A {
    try {
      const result = work()
      if (this.file !== undefined && this.changes.length > 0) {
        appendFileSync(this.file, `${JSON.stringify(this.changes)}\n`, { mode: 0o600 })
      }
      return result
    } catch (error) {
      for (const undo of this.undo.reverse()) undo()
      throw error
    } finally {
      this.changes = []
      this.undo = []
    }
  }

  private apply<K extends keyof Rows>(kind: K, id: string, row: Rows[K] | null): void {
    const table = this.tables[kind]
    const before = table.get(id)
    this.undo.push(() => (before === undefined ? table.delete(id) : table.set(id, before)))
    this.changes.push([kind, id, row])
    if (row === null) table.delete(id)
    else table.set(id, row)
  }
}
