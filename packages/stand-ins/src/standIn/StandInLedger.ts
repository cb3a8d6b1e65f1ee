import { Journal } from "./Journal.ts"

/** A table for each kind of thing. */
export type Tables<Rows> = { readonly [K in keyof Rows]: Map<string, Rows[K]> }

type Change<Rows> = { [K in keyof Rows]: readonly [kind: K, id: string, row: Rows[K] | null] }[keyof Rows]

/** All that a stand-in knows, in memory, and in a file if there is one. */
export class StandInLedger<Rows extends object> {
  private readonly tables: Tables<Rows>
  private readonly journal: Journal | undefined
  private changes: Array<readonly [kind: keyof Rows, id: string, row: unknown]> = []
  private undo: Array<() => void> = []

  constructor(tables: Tables<Rows>, file: string | undefined) {
    this.tables = tables
    if (file === undefined) return
    this.journal = new Journal(file)
    for (const line of this.journal.read()) {
      const changes: ReadonlyArray<Change<Rows>> = JSON.parse(line)
      for (const [kind, id, row] of changes) this.apply(kind, id, row)
    }
    this.changes = []
    this.undo = []
    const lines: Array<string> = []
    for (const kind in tables) for (const [id, row] of tables[kind]) lines.push(JSON.stringify([[kind, id, row]]))
    this.journal.replace(lines)
  }

  get<K extends keyof Rows>(kind: K, id: string): Rows[K] | undefined {
    return this.tables[kind].get(id)
  }

  /** All of a kind, the newest first. */
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

  /** All that is changed meanwhile is kept together, or, when it throws, not at all. */
  transact<A>(work: () => A): A {
    try {
      const result = work()
      if (this.changes.length > 0) this.journal?.add(JSON.stringify(this.changes))
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
