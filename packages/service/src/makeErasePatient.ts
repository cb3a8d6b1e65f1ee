import { makeEndMentions } from "@care/jobs"
import type { PatientRef } from "@care/phi"
import { makePatientKeys } from "@care/phi"
import { DateTime, Effect } from "effect"

/** What a service does beside destroying the key of a patient who is erased. */
interface ErasePatientOptions<E, R> {
  /** The queues whose jobs end with a patient whom they mention. */
  readonly queues: ReadonlyArray<string>
  /**
   * Made once: ends and replaces what is not sealed, after the patient's key is destroyed, and tells by which texts jobs mention
   * the patient. Must be idempotent.
   */
  readonly forget: Effect.Effect<(patient: PatientRef) => Effect.Effect<ReadonlyArray<string>>, E, R>
}

/** Makes what a service does when it is told that a patient is erased: safe to repeat, wherever it broke off. */
export const makeErasePatient = Effect.fnUntraced(function* <E, R>({ forget, queues }: ErasePatientOptions<E, R>) {
  const endMentions = yield* makeEndMentions
  const forgetOwn = yield* forget
  const keys = yield* makePatientKeys
  return Effect.fnUntraced(function* (patient: PatientRef) {
    // The key first: whoever writes of the patient from then on writes nothing that could be opened.
    yield* keys.destroy(patient.organizationId, patient.userId, yield* DateTime.nowAsDate)
    yield* endMentions(patient.organizationId, queues, yield* forgetOwn(patient))
  })
})
