import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { Effect } from "effect"
import { StartFailed } from "../StartFailed.ts"

/** A table for each kind of row. */
type Tables<Rows> = { readonly [K in keyof Rows]: Map<string, Rows[K]> }

type Change<Rows> = { [K in keyof Rows]: readonly [kind: K, id: string, row: Rows[K] | null] }[keyof Rows]

const chunkBytes = 1_048_576
const smallBytes = 16 * chunkBytes

// Line by line, because the text of a whole file may be longer than a string can be. A process that is killed may leave a last line
// without its end: that change never happened.
function* linesOf(file: string): Generator<string> {
  const opened = openSync(file, "r")
  try {
    const chunk = Buffer.alloc(chunkBytes)
    let partial: Array<Buffer> = []
    for (let length = readSync(opened, chunk); length > 0; length = readSync(opened, chunk)) {
      let from = 0
      for (let end = chunk.indexOf("\n"); end >= 0 && end < length; end = chunk.indexOf("\n", from)) {
        yield Buffer.concat([...partial, chunk.subarray(from, end)]).toString()
        partial = []
        from = end + 1
      }
      partial.push(Buffer.from(chunk.subarray(from, length)))
    }
  } finally {
    closeSync(opened)
  }
}

const replaceLines = (file: string, lines: Iterable<string>): void => {
  const complete = `${file}.new`
  const opened = openSync(complete, "w", 0o600)
  try {
    let text = ""
    for (const line of lines) {
      text += `${line}\n`
      if (text.length < chunkBytes) continue
      writeFileSync(opened, text)
      text = ""
    }
    writeFileSync(opened, text)
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  renameSync(complete, file)
}

class LineBroken extends Error {}

/** Opens the ledger that is kept in a file, or says why it cannot be opened. */
export const openLedger = <Opened>(
  file: string | undefined,
  open: (file: string | undefined) => Opened
): Effect.Effect<Opened, StartFailed> =>
  Effect.try({
    try: () => open(file),
    catch: (error) =>
      new StartFailed({
        message:
          error instanceof LineBroken
            ? `${error.message} Restore the file, or move it away: then the stand-in knows nothing.`
            : `${file} cannot be used: ${error instanceof Error ? error.message : String(error)}.`
      })
  })

/** Holds everything that a stand-in knows, in memory and, if there is one, in a file with a line for each transaction. */
export class StandInLedger<Rows extends object> {
  private readonly tables: Tables<Rows>
  private readonly file: string | undefined
  private changes: Array<readonly [kind: keyof Rows, id: string, row: unknown]> = []
  private undo: Array<() => void> = []
  private fileId = 0
  private fileBytes = 0
  private rewrittenBytes = 0

  constructor(tables: Tables<Rows>, file: string | undefined) {
    this.tables = tables
    this.file = file
    if (file === undefined) return
    if (existsSync(file)) this.read(file)
    this.rewrite(file)
  }

  get<K extends keyof Rows>(kind: K, id: string): Rows[K] | undefined {
    return this.tables[kind].get(id)
  }

  /** Returns all rows of a kind, the newest first. */
  all<K extends keyof Rows>(kind: K): ReadonlyArray<Rows[K]> {
    return [...this.rows(kind)].reverse()
  }

  /** Iterates over all rows of a kind, the oldest first. */
  rows<K extends keyof Rows>(kind: K): Iterable<Rows[K]> {
    return this.tables[kind].values()
  }

  count(kind: keyof Rows): number {
    return this.tables[kind].size
  }

  put<K extends keyof Rows>(kind: K, id: string, row: Rows[K]): Rows[K] {
    this.apply(kind, id, row)
    return row
  }

  remove(kind: keyof Rows, id: string): void {
    this.apply(kind, id, null)
  }

  /** Removes the rows of a kind that satisfy a condition. */
  removeWhere<K extends keyof Rows>(kind: K, isRemoved: (row: Rows[K]) => boolean): void {
    for (const [id, row] of this.tables[kind]) if (isRemoved(row)) this.remove(kind, id)
  }

  /** Stores all changes of `work` together, or none when it throws. */
  transact<A>(work: () => A): A {
    try {
      const result = work()
      if (this.file !== undefined && this.changes.length > 0) {
        this.append(this.file, `${JSON.stringify(this.changes)}\n`)
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

  private read(file: string): void {
    let number = 0
    for (const line of linesOf(file)) {
      number += 1
      try {
        const changes: ReadonlyArray<Change<Rows>> = JSON.parse(line)
        for (const [kind, id, row] of changes) this.apply(kind, id, row)
      } catch {
        throw new LineBroken(`${file} is broken in line ${number}.`)
      }
      this.changes = []
      this.undo = []
    }
  }

  private *lines(): Generator<string> {
    for (const kind in this.tables) {
      for (const [id, row] of this.tables[kind]) yield JSON.stringify([[kind, id, row]])
    }
  }

  private rewrite(file: string): void {
    replaceLines(file, this.lines())
    const { ino, size } = statSync(file)
    this.fileId = ino
    this.fileBytes = size
    this.rewrittenBytes = size
  }

  private append(file: string, line: string): void {
    const found = statSync(file, { throwIfNoEntry: false })
    // Another process replaced the file, or somebody removed it.
    if (found?.ino !== this.fileId) {
      this.rewrite(file)
      return
    }
    // A write for which there was no room may have left a part of a line.
    if (found.size > this.fileBytes) truncateSync(file, this.fileBytes)
    appendFileSync(file, line, { mode: 0o600 })
    this.fileBytes += Buffer.byteLength(line)
    if (this.fileBytes < 2 * this.rewrittenBytes + smallBytes) return
    try {
      this.rewrite(file)
    } catch {
      // The changes are stored, and the file may be rewritten when it has doubled.
      this.rewrittenBytes = this.fileBytes
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
