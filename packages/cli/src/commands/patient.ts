import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { confirmed, yes } from "../confirmation.ts"
import { idArgument } from "../inputs.ts"
import { printDone, printResource } from "../output.ts"

const user = idArgument("user", "Id of the patient")

const exportCommand = Command.make(
  "export",
  { user, output: Flag.String("output").pipe(Flag.withDescription("The file that is made, which only you may read")) },
  Effect.fnUntraced(function* ({ output, user }) {
    yield* (yield* AdminClient).download(`/users/${user}/export`, output)
    yield* printDone({ output }, `Written to ${output}.`)
  })
).pipe(
  Command.withDescription("Write everything that is stored about a patient into a file (JSON)"),
  Command.withExamples([
    {
      command: "care patient export 3b241101-e2bb-4255-8caf-4136c566a962 --output patient.json",
      description: "Export a patient"
    }
  ])
)

const question = "What was said and stored about the patient cannot be opened again. Erase them?"

const erase = Command.make(
  "erase",
  {
    user,
    yes,
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Also when the patient has an active case, which is closed"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ force, user, yes }) {
    yield* confirmed(question, "Nothing was erased", yes)
    const erased = yield* (yield* AdminClient).call("POST", `/users/${user}/erase`, { force })
    const isDone = Array.isArray(erased["pending"]) && erased["pending"].length === 0
    yield* printResource(
      erased,
      isDone ? "Erased." : "Erased; the services that are pending follow as soon as they answer."
    )
  })
).pipe(
  Command.withDescription("Erase a patient: the keys of what is stored are destroyed, names and contacts replaced")
)

export const patient = Command.make("patient").pipe(
  Command.withDescription("Patients: everything that is kept of one, and its end"),
  Command.withSubcommands([exportCommand, erase])
)
