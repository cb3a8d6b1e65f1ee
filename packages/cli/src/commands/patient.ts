import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { idArgument } from "../inputs.ts"
import { printDone } from "../output.ts"
import { writeWhole } from "../writeWhole.ts"

export const exportPatient = Command.make(
  "export",
  {
    userId: idArgument("id", "Id of the patient"),
    output: Flag.String("output").pipe(Flag.withDescription("The file to create, readable only by you"))
  },
  Effect.fnUntraced(function* ({ output, userId }) {
    const { open } = yield* AdminClient
    yield* writeWhole(output, open("patientExport.export", { params: { userId } }))
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
