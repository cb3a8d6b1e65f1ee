import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { Stripe } from "../stripe/Stripe.ts"

/**
 * Deletes the customer of a patient who was erased at the gateway, with the methods that are saved there. Committed with the
 * end of what is kept here. What the gateway keeps of payments that were made it keeps by law.
 */
export class CustomerDeletions extends Job.make<CustomerDeletions>()("customer-deletion", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, customerId: Schema.String }),
  // For as long as the gateway may be away: days.
  attempts: 1000,
  concurrency: 1
}) {
  static readonly layerWorker = CustomerDeletions.worker(
    Effect.map(
      Stripe,
      ({ ask }) =>
        ({ customerId }) =>
          ask("customers.del", (client) => client.customers.del(customerId)).pipe(
            // One that is gone needs no other try.
            Effect.catchIf(
              ({ code }) => code === "resource_missing",
              () => Effect.void
            )
          )
    )
  )
}
