import { AuditMonth, monthOf } from "@care/domain/audit/AuditMonth"
import { AuditService } from "@care/domain/audit/AuditRecord"
import { AuditAction } from "@care/domain/audit/auditActions"
import { OrganizationId } from "@care/domain/ids"
import { Array as Arr, Clock, Effect, FileSystem, Option, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AdminClient, decodePage, type Resource } from "../AdminClient.ts"
import type { ArchiveSelection, RecordFilter } from "../audit/archive/readArchive.ts"
import { writeArchive } from "../audit/archive/writeArchive.ts"
import { ChainHead, headsOf } from "../audit/auditPages.ts"
import { monthText } from "../audit/checkpoints.ts"
import { type ArchivedMonth, verifyChain } from "../audit/verifyChain.ts"
import { verifyMonth } from "../audit/verifyMonth.ts"
import { CommandFailed } from "../CommandFailed.ts"
import type { WireRequest } from "../callOperation.ts"
import { cursor, optionalChoice, optionalId, optionalText } from "../inputs.ts"
import { printDone, printJson, printPage } from "../output.ts"

const organizationId = optionalId("organization", "Only records of the organization with this id").pipe(
  Flag.map((id) => (id === undefined ? undefined : OrganizationId.make(id)))
)

const cell = optionalText("cell", "Only the chains of this cell: of all cells by default")

const archiveFolder = optionalText("archive", "A folder with archives of care audit archive; needs PHI_KEY")

// Loaded when needed, because it loads the cipher of the services.
const readArchive = Effect.promise(() => import("../audit/archive/readArchive.ts"))

const printArchived = Effect.fnUntraced(function* (folder: string, filter: RecordFilter) {
  const { archiveCipher, archivedRecords } = yield* readArchive
  const data = yield* archivedRecords(yield* archiveCipher, folder, filter)
  yield* printPage({ data, nextCursor: null }, columns)
})

const columns = "at service action actor=actor.type+actor.id caseId userId shown kinds requestId"

const printRecords = Effect.fnUntraced(function* (query: WireRequest["query"]) {
  const { call } = yield* AdminClient
  yield* printPage(yield* decodePage(yield* call("audit.list", { query: { limit: "100", ...query } })), columns)
})

const list = Command.make(
  "list",
  {
    organizationId,
    caseId: optionalId("case", "Only records about the case with this id"),
    userId: optionalId("patient", "Only records about the patient or member of staff with this id"),
    actorId: optionalId("actor", "Only what the member of staff or operator with this id did"),
    action: optionalChoice("action", AuditAction.literals, "Only this action"),
    from: optionalText("from", "Only records since this time, such as 2026-01-31T00:00:00Z"),
    to: optionalText("to", "Only records before this time"),
    cursor,
    archive: archiveFolder
  },
  ({ archive, ...query }) => (archive === undefined ? printRecords(query) : printArchived(archive, query))
).pipe(
  Command.withDescription("List who read and changed patients' data, and who may, newest first"),
  Command.withExamples([
    { command: "care audit list --archive archive --patient <id>", description: "List what archived months have" },
    { command: "care audit list --patient <id>", description: "List who read or changed a patient's data" }
  ])
)

const allHeads = (organization: OrganizationId | undefined, cell: string | undefined) =>
  Stream.runCollect(
    Stream.flatMap(Stream.fromIterable(AuditService.literals), (service) => headsOf(service, organization, cell))
  )

// Unknown organizations have empty chains, like those without records.
const checkRecorded = Effect.fnUntraced(function* (organization: string | undefined, ends: ReadonlyArray<ChainHead>) {
  if (organization === undefined || ends.some(({ count }) => count > 0)) return
  const { call } = yield* AdminClient
  yield* call("organizations.get", { params: { organizationId: organization } }).pipe(
    Effect.mapError(
      ({ message }) =>
        new CommandFailed({
          message: `There are no records of the organization ${organization} (${message}): find its id with care org list.`
        })
    )
  )
})

interface VerifyFlags {
  readonly organizationId: OrganizationId | undefined
  readonly cell: string | undefined
  readonly month: number | undefined
  readonly heads: string | undefined
}

const heads = Command.make(
  "heads",
  { organizationId, cell },
  Effect.fnUntraced(function* ({ cell, organizationId: requested }) {
    const ends = yield* allHeads(requested, cell)
    yield* checkRecorded(requested, ends)
    yield* printJson(ends)
  })
).pipe(
  Command.withDescription(
    "Show the heads of all audit chains as JSON. Store it where the operators of the database cannot change it"
  ),
  Command.withExamples([
    { command: "care audit heads > heads.json", description: "Store the heads for a later verification" }
  ])
)

const decodeHeads = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Schema.toCodecJson(ChainHead))))

const keptHeads = Effect.fnUntraced(function* (file: string | undefined) {
  if (file === undefined) return []
  const { readFileString } = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    readFileString(file),
    () => new CommandFailed({ message: `The file ${file} cannot be read.` })
  )
  return yield* decodeHeads(text).pipe(
    Effect.mapError(() => new CommandFailed({ message: `${file} is not the output of care audit heads.` }))
  )
})

const decodeMonth = Schema.decodeOption(AuditMonth)
const aMonth = () => "a month such as 2026-05"

const month = Flag.String("month").pipe(
  Flag.filterMap(decodeMonth, aMonth),
  Flag.withDescription("Only the records of this month, which is over: reads no others"),
  Flag.optional,
  Flag.map(Option.getOrUndefined)
)

// Verifies chains in a month. Chains that do not have it are left out.
const verifyMonths = Effect.fnUntraced(function* (
  monthOfRecords: number,
  chains: ReadonlyArray<readonly [ChainHead, ...ReadonlyArray<ChainHead>]>
) {
  if (monthOfRecords >= monthOf(new Date(yield* Clock.currentTimeMillis))) {
    return yield* new CommandFailed({
      message: `${monthText(monthOfRecords)} is not over: verify it without --month.`
    })
  }
  const verified = (yield* Effect.forEach(chains, (ends, index) =>
    verifyMonth(ends[0], monthOfRecords, ends, { number: index + 1, of: chains.length })
  )).filter((found) => found !== undefined)
  if (verified.length === 0) {
    return yield* new CommandFailed({
      message: `No chain has a checkpoint of ${monthText(monthOfRecords)}. A month has one within minutes of its end, if it has records.`
    })
  }
  return verified
})

/** Verifies the archives in a folder by themselves. */
const verifyFolder = Effect.fnUntraced(function* (folder: string, selection: ArchiveSelection) {
  const { archiveCipher, verifyArchive } = yield* readArchive
  return yield* verifyArchive(yield* archiveCipher, folder, selection)
})

// Compares the archived months of chains with what the files of a folder have.
const verifyBorders = Effect.fnUntraced(function* (
  archived: ReadonlyArray<ArchivedMonth>,
  folder: string,
  { archived: found, findings }: Effect.Success<ReturnType<typeof verifyFolder>>
) {
  const { archivedKey } = yield* readArchive
  const missing = archived.flatMap(({ checkpoint, organizationId, service }) => {
    const name = monthText(checkpoint.month)
    const chain = found.get(archivedKey(service, organizationId, checkpoint.month))
    const isSame =
      chain?.count === checkpoint.count &&
      chain.hash === checkpoint.hash &&
      chain.countBefore === checkpoint.countBefore &&
      chain.hashBefore === checkpoint.hashBefore
    if (isSame) return []
    const finding =
      chain === undefined
        ? `${name} is archived, and is not in ${folder}`
        : `${name} in ${folder} is not what was archived`
    return [{ service, organizationId, finding }]
  })
  return [...findings, ...missing]
})

const reportVerified = Effect.fnUntraced(function* (
  findings: ReadonlyArray<Resource>,
  done: Resource,
  sentence: string
) {
  if (findings.length === 0) return yield* printDone({ ...done, findings }, sentence)
  yield* printPage({ data: findings, nextCursor: null }, "service organizationId finding")
  return yield* new CommandFailed({ message: `Audit records were changed. Findings: ${findings.length}.` })
})

const verifyOffline = Effect.fnUntraced(function* (folder: string | undefined, selection: ArchiveSelection) {
  if (folder === undefined) return yield* new CommandFailed({ message: "--offline needs --archive <folder>." })
  const { archived, findings } = yield* verifyFolder(folder, selection)
  yield* reportVerified(
    findings,
    { chains: archived.size },
    `Archives verified: ${archived.size} chains. No changes found.`
  )
})

const verifyStored = Effect.fnUntraced(function* (
  { cell, heads: file, month: monthOfRecords, organizationId: requested }: VerifyFlags,
  folder: string | undefined
) {
  const storedHeads = (yield* keptHeads(file)).filter(
    ({ organizationId: owner }) => requested === undefined || owner === requested
  )
  const ends = [...(yield* allHeads(requested, cell)), ...storedHeads]
  const chains = Object.values(Arr.groupBy(ends, ({ organizationId: owner, service }): string => `${service} ${owner}`))
  if (monthOfRecords !== undefined) yield* checkRecorded(requested, ends)
  const verified =
    monthOfRecords === undefined
      ? yield* Effect.forEach(chains, (ends, index) => verifyChain(ends, { number: index + 1, of: chains.length }))
      : yield* verifyMonths(monthOfRecords, chains)
  const archived = verified.flatMap((chain) => chain.archived)
  const ofRecords = verified.flatMap(({ findings }) => findings)
  const findings =
    folder === undefined
      ? ofRecords
      : [
          ...ofRecords,
          ...(yield* verifyBorders(
            archived,
            folder,
            yield* verifyFolder(folder, { month: monthOfRecords, organizationId: requested })
          ))
        ]
  if (findings.length === 0) yield* checkRecorded(requested, ends)
  const archivedMonths = [...new Set(archived.map(({ checkpoint }) => monthText(checkpoint.month)))].sort()
  const isUnverified = folder === undefined && archivedMonths.length > 0
  const inMonth = monthOfRecords === undefined ? "" : ` in ${monthText(monthOfRecords)}`
  yield* reportVerified(
    findings,
    { chains: verified.length, ...(isUnverified && { archivedMonths }) },
    `Chains verified${inMonth}: ${verified.length}. No changes found.${
      isUnverified ? `\nNot verified, because they are archived: ${archivedMonths.join(", ")} (--archive <folder>)` : ""
    }`
  )
})

const verify = Command.make(
  "verify",
  {
    organizationId,
    cell,
    month,
    heads: optionalText("heads", "A file with an earlier output of care audit heads"),
    archive: archiveFolder,
    offline: Flag.Boolean("offline").pipe(
      Flag.withDescription("Verify the archives by themselves, without the suite"),
      Flag.withDefault(false)
    )
  },
  ({ archive: folder, offline, ...flags }) => (offline ? verifyOffline(folder, flags) : verifyStored(flags, folder))
).pipe(
  Command.withDescription(
    "Verify that no audit record was changed, removed or inserted. The exit code is 1 if one was"
  ),
  Command.withExamples([
    { command: "care audit verify --heads heads.json", description: "Also detect the removal of the newest records" },
    { command: "care audit verify --month 2026-05", description: "Read the records of a month only" },
    { command: "care audit verify --archive archive", description: "Also verify the archived months" }
  ])
)

const archive = Command.make(
  "archive",
  {
    month: Argument.String("month").pipe(
      Argument.withDescription("The month, such as 2026-05"),
      Argument.filterMap(decodeMonth, aMonth)
    ),
    to: Flag.String("to").pipe(Flag.withDescription("The folder of archives: one for all months of a cell")),
    cell: optionalText("cell", "The cell, if there are several")
  },
  Effect.fnUntraced(function* ({ cell: ofMonth, month: archived, to }) {
    const chains = yield* writeArchive(to, archived, ofMonth)
    const name = monthText(archived)
    yield* printDone(
      { month: name, chains, folder: to },
      chains === 0
        ? `No chain has records of ${name}.`
        : `${name} is in ${to}, and not in the databases any more: ${chains} chains.\nNext: care audit verify --month ${name} --archive ${to}`
    )
  })
).pipe(
  Command.withDescription("Move a month that is over to sealed files, and remove it from the databases"),
  Command.withExamples([
    { command: "care audit archive 2026-05 --to archive", description: "Repeat it if it was interrupted" }
  ])
)

export const audit = Command.make("audit").pipe(
  Command.withDescription("Who read and changed patients' data, and who may"),
  Command.withSubcommands([list, heads, verify, archive])
)
