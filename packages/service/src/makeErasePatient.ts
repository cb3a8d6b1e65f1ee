import { makeEndMentions } from "@care/jobs"
import { makePatientKeys, type PatientRef } from "@care/phi"
import { DateTime, Effect } from "effect"

interface ErasePatientOptions<E, R> {
  /** The queues whose jobs are cancelled if they mention the patient. */
  readonly queues: ReadonlyArray<string>
  /** Makes the idempotent function that deletes or replaces unsealed data, and returns the texts by which jobs mention the patient. */
  readonly forget: Effect.Effect<(patient: PatientRef) => Effect.Effect<ReadonlyArray<string>>, E, R>
}

/** Makes the function that erases a patient from a service. It is idempotent, wherever an earlier run stopped. */
export const makeErasePatient = Effect.fnUntraced(function* <E, R>({ forget, queues }: ErasePatientOptions<E, R>) {
  const endMentions = yield* makeEndMentions
  const forgetOwn = yield* forget
  const keys = yield* makePatientKeys
  return Effect.fnUntraced(function* (patient: PatientRef) {
    // The key is destroyed first, so that nothing that is written about the patient afterwards can be opened.
    yield* keys.destroy(patient.organizationId, patient.userId, yield* DateTime.nowAsDate)
    yield* endMentions(patient.organizationId, queues, yield* forgetOwn(patient))
  })
})
