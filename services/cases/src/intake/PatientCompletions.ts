import { PatientCompletion } from "@care/domain"
import { layerWorker } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { PersistedQueue } from "effect/persistence"
import { Directory } from "../directory/Directory.ts"

/**
 * Fills the record of a patient who existed before with what a case's intake told in addition. It is a job committed with
 * the case, so that a refused creation changes nobody's record.
 */
export class PatientCompletions extends Context.Service<
  PatientCompletions,
  PersistedQueue.PersistedQueue<PatientCompletion>
>()("@care/cases/intake/PatientCompletions") {
  static readonly layer = Layer.effect(
    PatientCompletions,
    PersistedQueue.make({ name: "patient-completion", schema: PatientCompletion, maxAttempts: 20 })
  )

  static readonly layerWorker = Layer.unwrap(
    Effect.gen(function* () {
      const directory = yield* Directory
      return layerWorker({
        name: "patient-completion",
        queue: yield* PatientCompletions,
        concurrency: 2,
        perform: (job) => directory.completePatient(job)
      })
    })
  )
}
