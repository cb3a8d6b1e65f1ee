import { randomUUID } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import type { AuditService } from "@care/domain/audit/AuditRecord"
import { Effect, Stream } from "effect"
import { CommandFailed } from "../../CommandFailed.ts"
import { monthText } from "../checkpoints.ts"

/** What a file of an archive has: the chains of a service in a month, or the records of one of them. */
export interface ArchiveFile {
  readonly service: AuditService
  readonly month: number
  readonly organizationId?: string
}

const suffix = ".audit"
const partSuffix = ".part"

/** Returns the path of a file in the folder of archives. */
export const pathOf = ({ month, organizationId = "chains", service }: ArchiveFile): string =>
  join(monthText(month), service, `${organizationId}${suffix}`)

/** Returns the first line of a file. */
export const headOf = ({ month, organizationId, service }: ArchiveFile): string =>
  JSON.stringify({ format: "care audit archive 1", service, month: monthText(month), organizationId })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const writeAll = (descriptor: number, text: string): void => {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}

const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, "r")
  fsyncSync(descriptor)
  closeSync(descriptor)
}

// Another command may write the same file at the same time, and has removed this one then. Records stay as the first one wrote them.
const complete = (part: string, path: string, { organizationId }: ArchiveFile): void => {
  if (!existsSync(part)) return
  if (organizationId === undefined) renameSync(part, path)
  else if (!existsSync(path)) linkSync(part, path)
}

// What commands left that were killed.
const removeParts = (path: string): void => {
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${basename(path)}.`) && name.endsWith(partSuffix)) {
      rmSync(join(dirname(path), name), { force: true })
    }
  }
}

/** Makes the folder of archives, unless it is there. */
export const makeArchiveFolder = (folder: string) =>
  Effect.try({
    try: () => mkdirSync(folder, { recursive: true, mode: 0o700 }),
    catch: (error) =>
      new CommandFailed({
        message: `"${folder}" cannot be the folder of archives (${messageOf(error)}): name another one with --to.`
      })
  })

/**
 * Writes a file of an archive. Until it is complete and on the disk its name ends with `.part`. Records replace no file, a list of chains
 * replaces an older one.
 */
export const writeArchiveFile = Effect.fnUntraced(function* <E, R>(
  folder: string,
  file: ArchiveFile,
  lines: Stream.Stream<string, E, R>
) {
  const path = join(folder, pathOf(file))
  const part = `${path}.${randomUUID()}${partSuffix}`
  const attempt = <A>(work: () => A) =>
    Effect.try({
      try: work,
      catch: (error) =>
        new CommandFailed({ message: `${path} cannot be written (${messageOf(error)}): run the same command again.` })
    })
  yield* Effect.acquireUseRelease(
    attempt(() => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      return openSync(part, "wx", 0o600)
    }),
    (descriptor) =>
      Effect.gen(function* () {
        yield* Stream.runForEach(Stream.concat(Stream.succeed(headOf(file)), lines), (line) =>
          attempt(() => writeAll(descriptor, `${line}\n`))
        )
        yield* attempt(() => {
          fsyncSync(descriptor)
          complete(part, path, file)
          syncFolder(dirname(path))
          removeParts(path)
        })
      }),
    (descriptor) =>
      Effect.sync(() => {
        closeSync(descriptor)
        rmSync(part, { force: true })
      })
  )
})

/** Reads the lines of a file after the first one, one at a time. Throws if the file has another form. */
export function* linesIn(folder: string, file: ArchiveFile): Generator<string> {
  const descriptor = openSync(join(folder, pathOf(file)), "r")
  try {
    const chunk = Buffer.alloc(1024 * 1024)
    let [rest, isHead] = ["", true]
    for (let length = -1; length !== 0; ) {
      length = readSync(descriptor, chunk)
      // A character for each byte, so that no two files have the same lines.
      const [first = "", ...others] = chunk.toString("latin1", 0, length).split("\n")
      const lines = [rest + first, ...others]
      rest = lines.pop() ?? ""
      for (const line of lines) {
        if (!isHead) yield line
        else if (line !== headOf(file)) throw new Error("its first line was changed, or is that of another file")
        isHead = false
      }
    }
    if (rest !== "" || isHead) throw new Error("it ends in the middle of a line")
  } finally {
    closeSync(descriptor)
  }
}

/** Returns the names of the files and folders in a folder of archives, without those that were not completed. */
export const namesIn = (...path: ReadonlyArray<string>): ReadonlyArray<string> => {
  const folder = join(...path)
  return existsSync(folder) && statSync(folder).isDirectory()
    ? readdirSync(folder)
        .filter((name) => !name.endsWith(partSuffix))
        .sort()
    : []
}
