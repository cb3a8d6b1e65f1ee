import { ErasureList, makePatientKeys } from "@care/phi"
import { Effect } from "effect"

/**
 * Adds erased patients whom the list of erasures lacks, because it is new, or a copy. So a patient comes back only if both the list and
 * the database are lost.
 */
export const completeList = Effect.gen(function* () {
  const list = yield* ErasureList
  const keys = yield* makePatientKeys
  const listed = new Set((yield* list.all).map(({ userId }) => userId))
  const missing = (yield* keys.allErased).filter(({ userId }) => !listed.has(userId))
  yield* Effect.forEach(missing, list.add, { discard: true })
})
