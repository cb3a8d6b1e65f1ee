import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { argument } from "../inputs.ts"

const show = Command.make(
  "show",
  { id: argument("id", "Id of the case") },
  Effect.fnUntraced(function* ({ id }) {
    yield* Console.log(JSON.stringify(yield* (yield* AdminClient).call("GET", `/cases/${id}`), null, 2))
  })
).pipe(Command.withDescription("Show a case with everything it has, as JSON"))

export const careCase = Command.make("case").pipe(
  Command.withDescription("Cases of patients"),
  Command.withSubcommands([show])
)
