import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { confirmed, yes } from "../confirmation.ts"
import { idArgument } from "../inputs.ts"
import { printDone, printResource } from "../output.ts"

const user = idArgument("user", "Id of the patient")

const exportCommand = Command.make(
  "export",
  { user, output: Flag.String("output").pipe(Flag.withDescription("The file to create, readable only by you")) },
  Effect.fnUntraced(function* ({ output, user }) {
    yield* (yield* AdminClient).download(`/users/${user}/export`, output)
    yield* printDone({ output }, `Written to ${output}.`)
  })
).pipe(
  Command.withDescription("Write everything that is stored about a patient to a JSON file"),
  Command.withExamples([
    {
      command: "care patient export 3b241101-e2bb-4255-8caf-4136c566a962 --output patient.json",
      description: "Export a patient"
    }
  ])
)

const question = "The data of the patient cannot be restored afterwards. Erase it?"

const erase = Command.make(
  "erase",
  {
    user,
    yes,
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Erase even if the patient has active cases, and close them"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ force, user, yes }) {
    yield* confirmed(question, "Nothing was erased", yes)
    const erased = yield* (yield* AdminClient).call("POST", `/users/${user}/erase`, { force })
    const isDone = Array.isArray(erased["pending"]) && erased["pending"].length === 0
    yield* printResource(erased, isDone ? "Erased." : "Erased. The pending services follow when they are available.")
  })
).pipe(
  Command.withDescription("Erase a patient: destroy the keys of the stored data, and replace names and contact data")
)

export const patient = Command.make("patient").pipe(
  Command.withDescription("Export or erase the data of patients"),
  Command.withSubcommands([exportCommand, erase])
)
