import { OrganizationId, PatientDetails, UserId } from "@care/domain"
import { layerWorker } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"
import { Directory } from "../directory/Directory.ts"

const Job = Schema.Struct({ organizationId: OrganizationId, userId: UserId, patient: PatientDetails })

/**
 * Fills the record of a patient who existed before with what a case's intake told in addition. It is a job committed with
 * the case, so that a refused creation changes nobody's record.
 */
export class PatientCompletion extends Context.Service<
  PatientCompletion,
  PersistedQueue.PersistedQueue<typeof Job.Type>
>()("@care/cases/intake/PatientCompletion") {
  static readonly layer = Layer.effect(
    PatientCompletion,
    PersistedQueue.make({ name: "patient-completion", schema: Job, maxAttempts: 20 })
  )

  static readonly layerWorker = Layer.unwrap(
    Effect.gen(function* () {
      const directory = yield* Directory
      return layerWorker({
        name: "patient-completion",
        queue: yield* PatientCompletion,
        concurrency: 2,
        perform: ({ organizationId, patient, userId }) => directory.completePatient(organizationId, userId, patient)
      })
    })
  )
}
