import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"

/**
 * A file to which a line is added for each change. A line counts when its end is written, so that a process that is killed
 * leaves the change whole or not at all.
 */
export class Journal {
  private readonly file: string

  constructor(file: string) {
    this.file = file
  }

  /** Every whole line. */
  read(): ReadonlyArray<string> {
    return existsSync(this.file) ? readFileSync(this.file, "utf8").split("\n").slice(0, -1) : []
  }

  add(line: string): void {
    appendFileSync(this.file, `${line}\n`, { mode: 0o600 })
  }

  /** Begins anew with these lines, which say as much as all there were. */
  replace(lines: ReadonlyArray<string>): void {
    const complete = `${this.file}.${process.pid}`
    writeFileSync(complete, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 })
    renameSync(complete, this.file)
  }
}
