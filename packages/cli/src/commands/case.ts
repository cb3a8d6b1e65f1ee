import { CaseStatus } from "@care/domain/cases/CaseStatus"
import { Effect, Option, Predicate } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminClient, type Resource } from "../AdminClient.ts"
import { cursor, idArgument, optionalId, optionalText } from "../inputs.ts"
import { printJson, printPage } from "../output.ts"

const show = Command.make(
  "show",
  { id: idArgument("id", "Id of the case") },
  Effect.fnUntraced(function* ({ id }) {
    yield* printJson(yield* (yield* AdminClient).call("GET", `/cases/${id}`))
  })
).pipe(Command.withDescription("Show a case with everything it has, as JSON"))

const emailOf = (person: unknown) => (Predicate.hasProperty(person, "email") ? person.email : null)

// Shows people by their emails.
const inOneLine = ({ assignedTo, submitter, ...summary }: Resource): Resource => ({
  ...summary,
  patient: emailOf(submitter),
  assignedTo: emailOf(assignedTo)
})

const list = Command.make(
  "list",
  {
    organizationId: optionalId("organization", "Only cases of the organization with this id"),
    status: Flag.Literals("status", CaseStatus.literals).pipe(
      Flag.withDescription("Only cases in this status"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    ),
    isArchived: Flag.Literals("archived", ["true", "false"]).pipe(
      Flag.withDescription("Only cases that are archived, or only those that are not"),
      Flag.optional,
      Flag.map(Option.getOrUndefined)
    ),
    assignedTo: optionalId("assigned-to", "Only cases of the provider with this id"),
    email: optionalText("email", "Only cases of the patient with this email"),
    updatedSince: optionalText("updated-since", "Only cases that changed since, such as 2026-01-31T00:00:00Z"),
    cursor
  },
  Effect.fnUntraced(function* (query) {
    const columns = ["id", "shortId", "status", "isArchived", "patient", "assignedTo", "createdAt", "updatedAt"]
    yield* printPage(yield* (yield* AdminClient).page("/cases", query), columns, inOneLine)
  })
).pipe(
  Command.withDescription("List the newest cases"),
  Command.withExamples([
    { command: "care case list --status OPEN --archived false", description: "List what waits for a provider" }
  ])
)

export const careCase = Command.make("case").pipe(
  Command.withDescription("Cases of patients"),
  Command.withSubcommands([list, show])
)
