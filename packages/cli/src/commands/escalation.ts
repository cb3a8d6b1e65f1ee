import { Effect } from "effect"
import { Command } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { argument } from "../inputs.ts"
import { printResource } from "../output.ts"

const complete = Command.make(
  "complete",
  { id: argument("id", "Id of the escalation") },
  Effect.fnUntraced(function* ({ id }) {
    yield* printResource(yield* (yield* AdminClient).call("POST", `/escalations/${id}/complete`))
  })
).pipe(Command.withDescription("Say that an escalation was seen to"))

export const escalation = Command.make("escalation").pipe(
  Command.withDescription("Escalations of cases: what somebody has to see to"),
  Command.withSubcommands([complete])
)
