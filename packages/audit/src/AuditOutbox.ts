import { readdir, readFile, stat, unlink } from "node:fs/promises"
import { join } from "node:path"
import { AuditUnavailable, BootError, execute, FairShare, inBackground, makeFolder } from "@care/service-kit"
import { Clock, Context, Effect, Layer, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { makeAppend } from "./fast/makeAppend.ts"
import { makeOutboxFile, type OutboxLine, outboxSuffix } from "./makeOutboxFile.ts"
import { makeStoreReads } from "./makeStoreReads.ts"
import { insertRecordsOfVersion1 } from "./recorded.ts"

/** The limit of the outbox of a process: some 200,000 records, shared by its organizations. */
const maxOutboxBytes = 64 * 1024 * 1024

// After how long without a write the file of another process is removed, once its lines are in the database.
const quietMillis = 60_000

const maxRecordsInsertedAtOnce = 1000

const maxBytesInsertedAtOnce = 1024 * 1024

// What the names of files end with that processes of version 1 write. They take over no others.
const suffixOfVersion1 = ".jsonl"

const refused = Metric.counter("audit_reads_refused_total", {
  description: "Reads that were refused because they could not be recorded",
  incremental: true
})

// An ended process or a full disk may leave a part of a line, whose read was not answered. A record has no object inside, so a part of a
// line does not end like one.
const isWhole = (line: string): boolean => line.startsWith("{") && line.endsWith("}")

// Splits lines into batches of bounded size, one for each statement: the line of a list may be a hundred times as long as others.
const batchesOf = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const batches: Array<Array<string>> = []
  let bytes = maxBytesInsertedAtOnce
  for (const line of lines) {
    bytes += line.length
    const last = batches.at(-1)
    if (last !== undefined && last.length < maxRecordsInsertedAtOnce && bytes <= maxBytesInsertedAtOnce) last.push(line)
    else {
      batches.push([line])
      bytes = line.length
    }
  }
  return batches
}

const noRoomLeft = "too many audit records of the organization wait for the database"

const attempt = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => new AuditUnavailable({ cause }) })

/**
 * Keeps records of reads on the disk until they are in the database: in files of this process, in a folder that all processes of the
 * service share. A line has its record's id, so that it may be moved to the database several times, and by any process.
 */
export class AuditOutbox extends Context.Service<
  AuditOutbox,
  {
    /** Stores a line so that it survives the process. Dies with `AuditUnavailable` if it cannot, or if the organization has no room. */
    readonly append: (line: OutboxLine) => Effect.Effect<void>
    /** Waits until all lines so far also survive a power cut. */
    readonly sync: Effect.Effect<void, AuditUnavailable>
    /** Moves the lines of this process to the database. */
    readonly move: Effect.Effect<void, AuditUnavailable>
    /** Moves lines of other processes, which may have ended. */
    readonly takeOver: Effect.Effect<void, AuditUnavailable>
    readonly bytes: Effect.Effect<number>
  }
>()("@care/audit/AuditOutbox") {
  static readonly layer = (folder: string, maxBytes = maxOutboxBytes) =>
    Layer.effect(
      AuditOutbox,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const storeReads = yield* makeStoreReads
        const storeReadsOfVersion1 = (lines: ReadonlyArray<string>) =>
          inBackground(execute(insertRecordsOfVersion1(sql, lines)))
        yield* Effect.try({
          try: () => makeFolder(folder, 0o700),
          catch: () =>
            new BootError({
              message: `${folder} cannot be written to: set AUDIT_OUTBOX_DIR to a folder that can be written to.`
            })
        })
        const share = new FairShare({ capacity: maxBytes })
        const file = makeOutboxFile(folder, share)
        // The size of each file of another process when its lines were last moved.
        const movedSizes = new Map<string, number>()
        const refusedOrganizations = new Set<string>()

        const moveLines = (text: string, store = storeReads) =>
          Effect.forEach(batchesOf(text.split("\n").filter(isWhole)), store, { discard: true })

        const takeOverFile = Effect.fnUntraced(function* (path: string, now: number) {
          const { mtimeMs, size } = yield* attempt(() => stat(path))
          if (movedSizes.get(path) !== size) {
            const store = path.endsWith(suffixOfVersion1) ? storeReadsOfVersion1 : storeReads
            yield* moveLines(yield* attempt(() => readFile(path, "utf8")), store)
            movedSizes.set(path, size)
          }
          // Its process may only be slow, and have the file open. It moves what it appends itself.
          if (now - mtimeMs < quietMillis) return
          yield* attempt(() => unlink(path))
          movedSizes.delete(path)
        })

        // Logs once, until reads are recorded again, that reads of an organization or of all are refused.
        const refuse = Effect.fnUntraced(function* (cause: unknown, organizationId = "all") {
          yield* Metric.update(refused, 1)
          if (!refusedOrganizations.has(organizationId)) {
            refusedOrganizations.add(organizationId)
            yield* Effect.logError("Reads are refused until they can be recorded again", String(cause)).pipe(
              Effect.annotateLogs({ organizationId })
            )
          }
          return yield* Effect.die(new AuditUnavailable({ cause }))
        })

        const keep = (lines: ReadonlyArray<OutboxLine>): Effect.Effect<void> => {
          try {
            file.append(lines)
            refusedOrganizations.delete("all")
            for (const { organizationId } of lines) refusedOrganizations.delete(organizationId)
            return Effect.void
          } catch (cause) {
            return refuse(cause)
          }
        }

        const isGone = ({ cause }: AuditUnavailable) => Object(cause).code === "ENOENT"

        return AuditOutbox.of({
          append: makeAppend({
            takeRoom: ({ line, organizationId }) => share.take(organizationId, line.length),
            keep,
            refuse: ({ organizationId }) => refuse(noRoomLeft, organizationId)
          }),
          sync: attempt(file.sync),
          move: Effect.gen(function* () {
            const text = yield* attempt(file.seal)
            if (text === undefined) return
            yield* moveLines(text)
            yield* attempt(file.remove)
          }),
          takeOver: Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const names = yield* attempt(() => readdir(folder))
            const others = names.filter(
              (name) =>
                (name.endsWith(outboxSuffix) || name.endsWith(suffixOfVersion1)) && !name.startsWith(file.instance)
            )
            const paths = others.map((name) => join(folder, name))
            for (const path of movedSizes.keys()) if (!paths.includes(path)) movedSizes.delete(path)
            const exits = yield* Effect.forEach(paths, (path) =>
              // Another process may have been faster.
              Effect.exit(Effect.catchIf(takeOverFile(path, now), isGone, () => Effect.void))
            )
            // A file that cannot be taken over does not delay the others.
            yield* Effect.all(exits, { discard: true })
          }),
          bytes: Effect.sync(file.bytes)
        })
      })
    )
}
