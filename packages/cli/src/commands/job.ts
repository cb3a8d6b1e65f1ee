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
  Command.withExamples([{ command: "care job list --state failed", description: "List what was given up" }])
)

const retry = Command.make("retry", { id: idArgument("id", "Id of the job") }, ({ id }) =>
  printAnswer("POST", `/jobs/${id}/retry`)
).pipe(Command.withDescription("Try a job again that was given up"))

export const job = Command.make("job").pipe(
  Command.withDescription("Jobs: work that the services do later"),
  Command.withSubcommands([list, retry])
)
