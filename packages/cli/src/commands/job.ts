import { JobState } from "@care/domain/jobs/Job"
import { Command } from "effect/cli"
import type { Resource } from "../AdminClient.ts"
import { cursor, idArgument, optionalChoice, optionalText } from "../inputs.ts"
import { printAnswer, printList } from "../output.ts"

// The first line of a failure says what happened; the others are the stack.
const inOneLine = ({ lastFailure, ...job }: Resource): Resource => ({
  ...job,
  lastFailure: typeof lastFailure === "string" ? lastFailure.split("\n", 1)[0] : lastFailure
})

const list = Command.make(
  "list",
  {
    state: optionalChoice("state", JobState.literals, "Only jobs in this state"),
    queue: optionalText("queue", "Only jobs of this queue"),
    cursor
  },
  (query) => printList("/jobs", query, "id service queue state attempts createdAt lastFailure", inOneLine)
).pipe(
  Command.withDescription("List the newest jobs of all services"),
  Command.withExamples([{ command: "care job list --state failed", description: "List dead-lettered jobs" }])
)

const retry = Command.make("retry", { id: idArgument("id", "Id of the job") }, ({ id }) =>
  printAnswer("POST", `/jobs/${id}/retry`)
).pipe(Command.withDescription("Repeat a dead-lettered job"))

export const job = Command.make("job").pipe(
  Command.withDescription("Jobs: background work of the services"),
  Command.withSubcommands([list, retry])
)
