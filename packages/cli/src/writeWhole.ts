import { existsSync } from "node:fs"
import { link, open, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Effect, Stream } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
import { printProgress } from "./output.ts"

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const progressEvery = 2 ** 20

const megabytes = (bytes: number): string => `${(bytes / progressEvery).toFixed(1)} MB`

/** Prints the progress of a stream of bytes, each megabyte. */
const withProgress = <E, R>(file: string, bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> => {
  let [written, next] = [0, progressEvery]
  return Stream.tap(bytes, ({ length }) => {
    written += length
    if (written < next) return Effect.void
    next = written + progressEvery
    return printProgress(`${file}: ${megabytes(written)}`)
  })
}

/**
 * Streams a new file that only its owner can read. Until it is complete and on the disk its name ends with `.part`; an
 * incomplete file is removed.
 */
export const writeWhole = Effect.fnUntraced(function* <E, R>(
  file: string,
  read: Effect.Effect<Stream.Stream<Uint8Array, E>, CommandFailed, R>
) {
  const part = `${file}.part`
  const attempt = <A>(work: (signal: AbortSignal) => Promise<A>, sentenceOf: (reason: string) => string) =>
    Effect.tryPromise({
      try: work,
      catch: (error) =>
        error instanceof CommandFailed ? error : new CommandFailed({ message: sentenceOf(messageOf(error)) })
    })
  const alreadyExists = (path: string) =>
    new CommandFailed({ message: `${path} already exists: remove it, or choose another file.` })
  if (existsSync(file)) return yield* alreadyExists(file)
  if (existsSync(part)) return yield* alreadyExists(part)
  yield* Effect.acquireUseRelease(
    attempt(
      () => open(part, "wx", 0o600),
      (reason) => `${file} cannot be written (${reason}): choose a file in a folder that you can write to.`
    ),
    (target) =>
      Effect.flatMap(
        Effect.flatMap(read, (bytes) => Stream.toReadableStreamEffect(withProgress(file, bytes))),
        (bytes) =>
          attempt(
            async (signal) => {
              await pipeline(Readable.fromWeb(bytes), target.createWriteStream({ flush: true }), { signal })
              // Unlike renaming, this replaces no file.
              await link(part, file)
            },
            (reason) => `${file} was not written completely and has been removed (${reason}): try again.`
          )
      ),
    (target) =>
      Effect.promise(async () => {
        await target.close()
        await rm(part)
      })
  )
})
