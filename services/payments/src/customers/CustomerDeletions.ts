import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { inTransaction } from "@care/service-kit"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Stripe } from "../stripe/index.ts"
import { makeDeletedCustomersRepo } from "./DeletedCustomersRepo.ts"
import { makePatientCustomersRepo } from "./PatientCustomersRepo.ts"

/**
 * Makes the function that decides to delete a customer, from when on nobody saves a method of theirs. False when somebody has,
 * or once had, one: then it is left, and offered again when that patient is erased.
 */
export const makeDecideDeletion = Effect.gen(function* () {
  const customers = yield* makePatientCustomersRepo
  const deleted = yield* makeDeletedCustomersRepo
  const sql = yield* SqlClient.SqlClient

  return Effect.fn("CustomerDeletions.decide")(function* (organizationId: OrganizationId, customerId: string) {
    yield* deleted.takeTurn(customerId)
    if (yield* customers.has(customerId)) return false
    yield* deleted.add(organizationId, customerId, yield* DateTime.nowAsDate)
    return true
  }, inTransaction(sql))
})

/**
 * Deletes the customer of a patient who was erased at the gateway, with the methods that are saved there, unless another
 * patient pays with one of them. Committed with the decision. What the gateway keeps of payments that were made it keeps by
 * law.
 */
export class CustomerDeletions extends Job.make<CustomerDeletions>()("customer-deletion", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, customerId: Schema.String }),
  retries: Job.forThreeDays,
  concurrency: 1
}) {
  static readonly layerWorker = CustomerDeletions.worker(
    Effect.gen(function* () {
      const { ask } = yield* Stripe

      return ({ customerId, organizationId }) =>
        ask(organizationId, "customers.del", (client) => client.customers.del(customerId)).pipe(
          // One that is gone needs no other try.
          Effect.catchIf(
            ({ code }) => code === "resource_missing",
            () => Effect.void
          )
        )
    })
  )
}

/**
 * Makes the function that has a customer deleted unless a patient has, or once had, a method of theirs: decided in the caller's
 * transaction, so that nobody is given the customer before the job is done.
 */
export const makeDeleteCustomer = Effect.gen(function* () {
  const decide = yield* makeDecideDeletion
  const deletions = yield* CustomerDeletions

  return Effect.fnUntraced(function* (organizationId: OrganizationId, customerId: string) {
    if (yield* decide(organizationId, customerId)) yield* deletions.offer({ organizationId, customerId })
  })
})
