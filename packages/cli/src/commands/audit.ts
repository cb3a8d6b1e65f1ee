import { AuditMonth, monthOf } from "@care/domain/audit/AuditMonth"
import { AuditService } from "@care/domain/audit/AuditRecord"
import { AuditAction } from "@care/domain/audit/auditActions"
import { Array as Arr, Clock, Effect, FileSystem, Option, Predicate, Schema, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminClient, type Resource } from "../AdminClient.ts"
import { ChainHead, headsOf } from "../audit/auditPages.ts"
import { monthText } from "../audit/checkpoints.ts"
import { verifyChain } from "../audit/verifyChain.ts"
import { verifyMonth } from "../audit/verifyMonth.ts"
import { CommandFailed } from "../gateway.ts"
import { cursor, ofCell, optionalChoice, optionalId, optionalText } from "../inputs.ts"
import { printDone, printJson, printList, printPage } from "../output.ts"

const organizationId = optionalId("organization", "Only records of the organization with this id")

const textIn = (actor: unknown): string =>
  Predicate.hasProperty(actor, "type") && Predicate.hasProperty(actor, "id")
    ? [actor.type, actor.id].filter((part) => part !== null).join(" ")
    : ""

const inOneLine = ({ actor, shown, ...record }: Resource): Resource => ({
  ...record,
  actor: textIn(actor),
  shown: Array.isArray(shown) && shown.length > 0 ? shown.length : ""
})

const list = Command.make(
  "list",
  {
    organizationId,
    caseId: optionalId("case", "Only records about the case with this id"),
    userId: optionalId("patient", "Only records about the patient with this id"),
    action: optionalChoice("action", AuditAction.literals, "Only this action"),
    from: optionalText("from", "Only records since this time, such as 2026-01-31T00:00:00Z"),
    to: optionalText("to", "Only records before this time"),
    cursor
  },
  (query) => printList("/audit", query, "at service action actor caseId userId shown kinds requestId", inOneLine)
).pipe(
  Command.withDescription("List who read and changed patients' data, newest first"),
  Command.withExamples([
    { command: "care audit list --patient <id>", description: "List who read or changed a patient's data" }
  ])
)

const allHeads = (organization: string | undefined, cell: string | undefined) =>
  Stream.runCollect(
    Stream.flatMap(Stream.fromIterable(AuditService.literals), (service) => headsOf(service, organization, cell))
  )

// Unknown organizations have empty chains, like those without records.
const checkRecorded = Effect.fnUntraced(function* (organization: string | undefined, ends: ReadonlyArray<ChainHead>) {
  if (organization === undefined || ends.some(({ count }) => count > 0)) return
  yield* (yield* AdminClient).call("GET", `/organizations/${organization}`).pipe(
    Effect.mapError(
      ({ message }) =>
        new CommandFailed({
          message: `There are no records of the organization ${organization} (${message}): find its id with care org list.`
        })
    )
  )
})

const heads = Command.make(
  "heads",
  { organizationId, cell: ofCell },
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

const month = Flag.String("month").pipe(
  Flag.filterMap(Schema.decodeOption(AuditMonth), () => "a month such as 2026-05"),
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
  const verified = (yield* Effect.forEach(chains, (ends) => verifyMonth(ends[0], monthOfRecords, ends))).filter(
    (findings) => findings !== undefined
  )
  if (verified.length === 0) {
    return yield* new CommandFailed({
      message: `No chain has a checkpoint of ${monthText(monthOfRecords)}. A month has one within minutes of its end, if it has records.`
    })
  }
  return verified
})

const verify = Command.make(
  "verify",
  {
    organizationId,
    cell: ofCell,
    month,
    heads: optionalText("heads", "A file with an earlier output of care audit heads")
  },
  Effect.fnUntraced(function* ({ cell, heads: file, month: monthOfRecords, organizationId: requested }) {
    const storedHeads = (yield* keptHeads(file)).filter(
      ({ organizationId: owner }) => requested === undefined || owner === requested
    )
    const ends = [...(yield* allHeads(requested, cell)), ...storedHeads]
    const chains = Object.values(
      Arr.groupBy(ends, ({ organizationId: owner, service }): string => `${service} ${owner}`)
    )
    if (monthOfRecords !== undefined) yield* checkRecorded(requested, ends)
    const verified =
      monthOfRecords === undefined
        ? yield* Effect.forEach(chains, verifyChain)
        : yield* verifyMonths(monthOfRecords, chains)
    const findings = verified.flat()
    if (findings.length === 0) {
      yield* checkRecorded(requested, ends)
      return yield* printDone(
        { chains: verified.length, findings },
        `Chains verified${monthOfRecords === undefined ? "" : ` in ${monthText(monthOfRecords)}`}: ${verified.length}. No changes found.`
      )
    }
    yield* printPage({ data: findings, nextCursor: null }, "service organizationId finding")
    return yield* new CommandFailed({ message: `Audit records were changed. Findings: ${findings.length}.` })
  })
).pipe(
  Command.withDescription(
    "Verify that no audit record was changed, removed or inserted. The exit code is 1 if one was"
  ),
  Command.withExamples([
    { command: "care audit verify --heads heads.json", description: "Also detect the removal of the newest records" },
    { command: "care audit verify --month 2026-05", description: "Read the records of a month only" }
  ])
)

export const audit = Command.make("audit").pipe(
  Command.withDescription("Who read and changed patients' data"),
  Command.withSubcommands([list, heads, verify])
)
