import { Command } from "effect/cli"
import { idArgument } from "../inputs.ts"
import { printAnswer } from "../output.ts"

const complete = Command.make("complete", { id: idArgument("id", "Id of the escalation") }, ({ id }) =>
  printAnswer("POST", `/escalations/${id}/complete`)
).pipe(Command.withDescription("Say that an escalation was seen to"))

export const escalation = Command.make("escalation").pipe(
  Command.withDescription("Escalations of cases: what somebody has to see to"),
  Command.withSubcommands([complete])
)
