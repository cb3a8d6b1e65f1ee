import { Command } from "effect/cli"
import { idArgument } from "../inputs.ts"
import { printAnswer } from "../output.ts"

const complete = Command.make("complete", { id: idArgument("id", "Id of the escalation") }, ({ id }) =>
  printAnswer("POST", `/escalations/${id}/complete`)
).pipe(Command.withDescription("Complete an escalation"))

export const escalation = Command.make("escalation").pipe(
  Command.withDescription("Escalations of cases: tasks for the care team"),
  Command.withSubcommands([complete])
)
