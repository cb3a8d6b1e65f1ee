import { createHash } from "node:crypto"
import type { OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import type StripeClient from "stripe"
import { organizationIn } from "../stripe/factsOf.ts"
import { Stripe, type StripeRefused } from "../stripe/Stripe.ts"

const ownOf = async (client: StripeClient, organizationId: OrganizationId, email: string) => {
  for await (const customer of client.customers.list({ email, limit: 100 })) {
    if (organizationIn(customer) === organizationId) return customer.id
  }
  return undefined
}

// The same for the same patient, so that of requests made at once all lead to one customer. The gateway repeats its answer for a
// day, whatever became of the customer since: when that was deleted, it is another key.
const keyOf = (organizationId: OrganizationId, email: string, deletedId: string | undefined) => {
  const parts = [organizationId, email, deletedId].filter((part) => part !== undefined)
  return `customer-${createHash("sha256").update(parts.join(" ")).digest("hex")}`
}

/** The customers of organizations at the gateway. The gateway alone keeps who they are. */
export class Customers extends Context.Service<
  Customers,
  {
    /**
     * An organization's customer with an email: the one that it has, or a new one. Another organization's of the same email is
     * somebody else. Without an email always a new one, `id` of which says that it is the same request again.
     */
    readonly withEmail: (
      organizationId: OrganizationId,
      email: string | undefined,
      id: string
    ) => Effect.Effect<string, StripeRefused>
  }
>()("@care/payments/customers/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const stripe = yield* Stripe

      const create = (organizationId: OrganizationId, given: { readonly email?: string }, idempotencyKey: string) =>
        Effect.map(
          stripe.ask("customers.create", (client) =>
            client.customers.create({ ...given, metadata: { organizationId } }, { idempotencyKey })
          ),
          ({ id }) => id
        )

      const make = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        email: string,
        deletedId?: string
      ): Effect.fn.Return<string, StripeRefused> {
        const id = yield* create(organizationId, { email }, keyOf(organizationId, email, deletedId))
        const made = yield* stripe.ask("customers.retrieve", (client) => client.customers.retrieve(id))
        return made.deleted ? yield* make(organizationId, email, id) : id
      })

      return Customers.of({
        withEmail: Effect.fn("Customers.withEmail")(function* (organizationId, email, id) {
          if (email === undefined) return yield* create(organizationId, {}, `customer-${id}`)
          const own = yield* stripe.ask("customers.list", (client) => ownOf(client, organizationId, email))
          return own ?? (yield* make(organizationId, email))
        })
      })
    })
  )
}
