import { PatientHasActiveCase } from "@care/domain/patients"
import { makePatientKeys, type PatientRef } from "@care/phi"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ErasureDecided } from "./ErasureDecided.ts"
import { makePatientCasesRepo } from "./PatientCasesRepo.ts"

/** Decides whether patients may be erased. */
export class InactivePatients extends Context.Service<
  InactivePatients,
  {
    /**
     * Destroys the key of a patient without an active case, after which no case of them can be created. Parallel creations and moves of
     * their cases come entirely before or after.
     */
    readonly erase: (patient: PatientRef) => Effect.Effect<void, PatientHasActiveCase>
  }
>()("@care/cases/patients/InactivePatients") {
  static readonly layer = Layer.effect(
    InactivePatients,
    Effect.gen(function* () {
      const erasureJobs = yield* ErasureDecided
      const keys = yield* makePatientKeys
      const repo = yield* makePatientCasesRepo
      const sql = yield* SqlClient.SqlClient

      return InactivePatients.of({
        erase: Effect.fn("InactivePatients.erase")(function* (patient) {
          const { organizationId, userId } = patient
          // Waits for each creation that holds the key, so that its case is seen. Later creations find no key.
          if (!(yield* keys.destroy(organizationId, userId, yield* DateTime.nowAsDate))) return
          if (yield* repo.hasActive(patient)) return yield* new PatientHasActiveCase({ userId })
          yield* erasureJobs.offer({ organizationId, userId }, { delay: "2 seconds" })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(ErasureDecided.layer))
}
