import { existsSync } from "node:fs"
import { join } from "node:path"
import { type ArchivedChain, ArchivePage, ArchivePiece, ArchiveProof } from "@care/domain/audit/AuditArchive"
import { AuditService } from "@care/domain/audit/AuditRecord"
import { Effect, Option, Schema, Stream } from "effect"
import { AdminClient } from "../../AdminClient.ts"
import { CommandFailed, encodeQuery } from "../../gateway.ts"
import { printProgress } from "../../output.ts"
import { monthText } from "../checkpoints.ts"
import { linesIn, makeArchiveFolder, pathOf, writeArchiveFile } from "./archiveFiles.ts"

const call = Effect.fnUntraced(function* <A, I>(
  answer: Schema.Codec<A, I>,
  method: string,
  path: string,
  body?: unknown
) {
  const resource = yield* (yield* AdminClient).call(method, path, body)
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Schema.toCodecJson(answer))(resource))
})

const cursorOf = (cursor: unknown): string | undefined => (typeof cursor === "string" ? cursor : undefined)

// The answers of a list, page by page. The cursor is sent as it came.
const pagesOf = <A, I>(
  answer: Schema.Codec<A, I>,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {}
) =>
  Stream.paginate<string | undefined, A, CommandFailed, AdminClient>(undefined, (cursor) =>
    Effect.gen(function* () {
      const resource = yield* (yield* AdminClient).call("GET", `${path}?${encodeQuery({ ...query, cursor })}`)
      const page = yield* Effect.orDie(Schema.decodeUnknownEffect(Schema.toCodecJson(answer))(resource))
      return [[page], Option.fromUndefinedOr(cursorOf(resource["nextCursor"]))] as const
    })
  )

/** The month of a service's chains, in a cell. */
interface Month {
  readonly service: AuditService
  readonly month: number
  readonly cell: string | undefined
}

const pathOfMonth = ({ month, service }: Month): string => `/audit/archives/${service}/${monthText(month)}`

// Sends the lines of a file back as they are on the disk.
const checkFile = Effect.fnUntraced(function* (folder: string, month: Month, { organizationId }: ArchivedChain) {
  const file = { ...month, organizationId }
  const path = join(folder, pathOf(file))
  const unsound = (reason: string) =>
    new CommandFailed({ message: `${path} is not sound (${reason}): move it away, and run the same command again.` })
  let [proof, isComplete]: [string | undefined, boolean] = [undefined, false]
  const lines = Stream.fromIterable({ [Symbol.iterator]: () => linesIn(folder, file) })
  yield* Stream.runForEach(lines, (sealed) =>
    Effect.gen(function* () {
      const answer = yield* call(ArchiveProof, "POST", `${pathOfMonth(month)}/${organizationId}`, {
        sealed,
        ...(proof !== undefined && { proof })
      })
      proof = answer.proof
      isComplete = answer.isComplete
    })
  ).pipe(
    Effect.mapError(({ message }) => unsound(message)),
    Effect.catchDefect((defect) => unsound(defect instanceof Error ? defect.message : String(defect)))
  )
  if (!isComplete) return yield* unsound("it ends too early")
})

const writeChain = Effect.fnUntraced(function* (
  folder: string,
  month: Month,
  chain: ArchivedChain,
  isArchived: boolean
) {
  const file = { ...month, organizationId: chain.organizationId }
  const path = join(folder, pathOf(file))
  if (!existsSync(path)) {
    if (isArchived) {
      return yield* new CommandFailed({
        message: `${path} is missing: ${monthText(month.month)} was archived already, in another folder: copy its file from there.`
      })
    }
    const pieces = pagesOf(ArchivePiece, `${pathOfMonth(month)}/${chain.organizationId}`)
    yield* writeArchiveFile(
      folder,
      file,
      Stream.map(pieces, ({ sealed }) => sealed)
    )
  }
  yield* checkFile(folder, month, chain)
  yield* printProgress(`${path}: ${chain.count - chain.countBefore} records`)
})

const writeMonth = Effect.fnUntraced(function* (folder: string, month: Month) {
  const pages = yield* Stream.runCollect(pagesOf(ArchivePage, pathOfMonth(month), { cell: month.cell, limit: "1000" }))
  for (const { data, isArchived } of pages) {
    for (const chain of data) yield* writeChain(folder, month, chain, isArchived)
  }
  yield* writeArchiveFile(folder, month, Stream.fromIterable(pages.map(({ sealed }) => sealed)))
  return pages.reduce((sum, { data }) => sum + data.length, 0)
})

/**
 * Writes the records of a month of all services to files, reads them back for the services to check, and then removes the month from the
 * databases. It may be repeated after it was killed. Returns the number of chains.
 */
export const writeArchive = Effect.fnUntraced(function* (folder: string, month: number, cell: string | undefined) {
  const months = AuditService.literals.map((service): Month => ({ service, month, cell }))
  yield* makeArchiveFolder(folder)
  let chains = 0
  for (const each of months) chains += yield* writeMonth(folder, each)
  const { call: callAdmin } = yield* AdminClient
  for (const each of months) yield* callAdmin("POST", pathOfMonth(each), { cell })
  return chains
})
