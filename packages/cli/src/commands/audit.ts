import { AuditService } from "@care/domain/audit/AuditRecord"
import { AuditAction } from "@care/domain/audit/auditActions"
import { Array as Arr, Effect, FileSystem, Predicate, Schema, Stream } from "effect"
import { Command } from "effect/cli"
import { AdminClient, type Resource } from "../AdminClient.ts"
import { ChainHead, headsOf } from "../audit/auditPages.ts"
import { verifyChain } from "../audit/verifyChain.ts"
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

const verify = Command.make(
  "verify",
  { organizationId, cell: ofCell, heads: optionalText("heads", "A file with an earlier output of care audit heads") },
  Effect.fnUntraced(function* ({ cell, heads: file, organizationId: requested }) {
    const storedHeads = (yield* keptHeads(file)).filter(
      ({ organizationId: owner }) => requested === undefined || owner === requested
    )
    const ends = [...(yield* allHeads(requested, cell)), ...storedHeads]
    const chains = Object.values(
      Arr.groupBy(ends, ({ organizationId: owner, service }): string => `${service} ${owner}`)
    )
    const findings = (yield* Effect.forEach(chains, verifyChain)).flat()
    if (findings.length === 0) {
      yield* checkRecorded(requested, ends)
      return yield* printDone(
        { chains: chains.length, findings },
        `Chains verified: ${chains.length}. No changes found.`
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
    { command: "care audit verify --heads heads.json", description: "Also detect the removal of the newest records" }
  ])
)

export const audit = Command.make("audit").pipe(
  Command.withDescription("Who read and changed patients' data"),
  Command.withSubcommands([list, heads, verify])
)
