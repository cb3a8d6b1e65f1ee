import { Array as Arr, Effect } from "effect"
import { makePatientKeys } from "../patientKeys/PatientKeys.ts"
import { ErasureList } from "./ErasureList.ts"
import type { PatientRef } from "./PatientRecords.ts"

/**
 * Makes the effect that erases the patients of the list who are not erased here, because the database was restored from a backup. `erase`
 * must be idempotent: several processes may start at once.
 */
export const makeEraseListed = Effect.fnUntraced(function* (erase: (patient: PatientRef) => Effect.Effect<void>) {
  const keys = yield* makePatientKeys
  const list = yield* ErasureList

  return Effect.gen(function* () {
    const listed = Arr.groupBy(yield* list.all, ({ organizationId }) => organizationId)
    let erased = 0
    for (const patients of Object.values(listed)) {
      for (const patient of yield* keys.notErasedOf(patients)) {
        yield* erase(patient)
        erased += 1
      }
    }
    if (erased > 0) yield* Effect.logWarning(`${erased} patients of the list of erasures were erased anew`)
  })
})
