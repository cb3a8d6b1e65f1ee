import type { PatientRef } from "@care/phi"
import { inTransaction } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeDeleteCustomer, makePatientCustomersRepo, makeSavedMethodsRepo } from "../customers/index.ts"

/** Makes the function that removes an erased patient's payment methods and deletes their customers. */
export const makeForgetPatient = Effect.gen(function* () {
  const customers = yield* makePatientCustomersRepo
  const deleteCustomer = yield* makeDeleteCustomer
  const methods = yield* makeSavedMethodsRepo
  const sql = yield* SqlClient.SqlClient

  return Effect.fn("Patients.forget")(function* ({ organizationId, userId }: PatientRef) {
    yield* methods.remove(organizationId, userId)
    const own = (yield* customers.remove(organizationId, userId)).map(({ customerId }) => customerId)
    // In one order, so that two erasures do not deadlock over shared customers.
    for (const customerId of own.sort()) yield* deleteCustomer(organizationId, customerId)
    return [userId]
  }, inTransaction(sql))
})
