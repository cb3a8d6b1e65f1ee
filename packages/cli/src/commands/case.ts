import { CaseStatus } from "@care/domain/cases/CaseStatus"
import { Effect, Predicate } from "effect"
import { Command } from "effect/cli"
import { AdminClient, type Resource } from "../AdminClient.ts"
import { cursor, idArgument, optionalChoice, optionalId, optionalText } from "../inputs.ts"
import { printJson, printList } from "../output.ts"

const show = Command.make(
  "show",
  { id: idArgument("id", "Id of the case") },
  Effect.fnUntraced(function* ({ id }) {
    yield* printJson(yield* (yield* AdminClient).call("GET", `/cases/${id}`))
  })
).pipe(Command.withDescription("Show a case with all its data as JSON"))

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
    status: optionalChoice("status", CaseStatus.literals, "Only cases in this status"),
    isArchived: optionalChoice("archived", ["true", "false"], "Only archived cases (true), or only others (false)"),
    assignedTo: optionalId("assigned-to", "Only cases of the provider with this id"),
    email: optionalText("email", "Only cases of the patient with this email"),
    updatedSince: optionalText("updated-since", "Only cases that changed since, such as 2026-01-31T00:00:00Z"),
    cursor
  },
  (query) =>
    printList("/cases", query, "id shortId status isArchived patient assignedTo createdAt updatedAt", inOneLine)
).pipe(
  Command.withDescription("List the newest cases"),
  Command.withExamples([
    { command: "care case list --status OPEN --archived false", description: "List the cases that wait for a provider" }
  ])
)

export const careCase = Command.make("case").pipe(
  Command.withDescription("Cases of patients"),
  Command.withSubcommands([list, show])
)
