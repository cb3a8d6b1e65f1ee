import { PatientHasActiveCase } from "@care/domain/patients"
import { makePatientKeys, type PatientRef } from "@care/phi"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ErasureDecided } from "./ErasureDecided.ts"
import { makePatientsRepo } from "./PatientsRepo.ts"

/** Patients who have no active case, or will have none any more. */
export class InactivePatients extends Context.Service<
  InactivePatients,
  {
    /**
     * Decides that a patient is erased, if they have no active case: their key is destroyed, and no case of them can be
     * created any more. Whoever creates one, or moves one, at the same time has either done it before, or comes after.
     */
    readonly erase: (patient: PatientRef) => Effect.Effect<void, PatientHasActiveCase>
  }
>()("@care/cases/patients/InactivePatients") {
  static readonly layer = Layer.effect(
    InactivePatients,
    Effect.gen(function* () {
      const decided = yield* ErasureDecided
      const keys = yield* makePatientKeys
      const repo = yield* makePatientsRepo
      const sql = yield* SqlClient.SqlClient

      return InactivePatients.of({
        erase: Effect.fn("InactivePatients.erase")(function* (patient) {
          const { organizationId, userId } = patient
          // It waits for every creation that has the key, whose case is seen then; those that come later find none.
          if (!(yield* keys.destroy(organizationId, userId, yield* DateTime.nowAsDate))) return
          if (yield* repo.hasActive(patient)) return yield* new PatientHasActiveCase({ userId })
          yield* decided.offer({ organizationId, userId }, { delay: "2 seconds" })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(ErasureDecided.layer))
}
