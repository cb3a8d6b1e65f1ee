import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { inTransaction, Time } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Stripe } from "../stripe/index.ts"
import { makeDeletedCustomersRepo } from "./DeletedCustomersRepo.ts"
import { makePatientCustomersRepo } from "./PatientCustomersRepo.ts"

/**
 * Makes the function that decides to delete a customer. From then on nobody can save a method of theirs. Returns false
 * when a patient has or had a method of them: erasing that patient tries again.
 */
export const makeDecideDeletion = Effect.gen(function* () {
  const customers = yield* makePatientCustomersRepo
  const deletedCustomers = yield* makeDeletedCustomersRepo
  const sql = yield* SqlClient.SqlClient

  return Effect.fn("CustomerDeletions.decide")(function* (organizationId: OrganizationId, customerId: string) {
    yield* deletedCustomers.lockCustomer(customerId)
    if (yield* customers.has(customerId)) return false
    yield* deletedCustomers.add(organizationId, customerId, yield* Time.nowAsDate)
    return true
  }, inTransaction(sql))
})

/**
 * Deletes an erased patient's customer at the gateway, with their saved methods, unless another patient uses one.
 * Committed with the decision. The gateway keeps records of payments as the law demands.
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
          // A customer who is already deleted needs no retry.
          Effect.catchIf(
            ({ code }) => code === "resource_missing",
            () => Effect.void
          )
        )
    })
  )
}

/**
 * Makes the function that deletes a customer unless a patient has or had a method of theirs. The decision is in the
 * caller's transaction, so that nobody gets the customer before the job has run.
 */
export const makeDeleteCustomer = Effect.gen(function* () {
  const decide = yield* makeDecideDeletion
  const deletions = yield* CustomerDeletions

  return Effect.fnUntraced(function* (organizationId: OrganizationId, customerId: string) {
    if (yield* decide(organizationId, customerId)) yield* deletions.offer({ organizationId, customerId })
  })
})
