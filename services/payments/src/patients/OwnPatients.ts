import { inTransaction, layerPatientsApi, makeErasePatient, type PatientRef } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makePatientCustomersRepo } from "../customers/PatientCustomersRepo.ts"
import { makeSavedMethodsRepo } from "../savedMethods/SavedMethodsRepo.ts"
import { CustomerDeletions } from "./CustomerDeletions.ts"
import { patientTables } from "./patientTables.ts"

const makeForgetPatient = Effect.gen(function* () {
  const customers = yield* makePatientCustomersRepo
  const deletions = yield* CustomerDeletions
  const methods = yield* makeSavedMethodsRepo
  const sql = yield* SqlClient.SqlClient

  return Effect.fn("Patients.forget")(function* ({ organizationId, userId }: PatientRef) {
    yield* methods.remove(organizationId, userId)
    for (const { customerId } of yield* customers.remove(organizationId, userId)) {
      yield* deletions.offer({ organizationId, customerId })
    }
    return [userId]
  }, inTransaction(sql))
})

/**
 * What payments keeps of patients. Of one who is erased amounts and the gateway's ids stay, and jobs go on: what was begun with
 * somebody's money has to be ended.
 */
export const layerOwnPatients = Layer.merge(
  layerPatientsApi("payments", {
    tables: patientTables,
    erase: makeErasePatient({ queues: [], forget: makeForgetPatient })
  }),
  CustomerDeletions.layerWorker
).pipe(Layer.provide(CustomerDeletions.layer))
