import type { OrganizationId } from "@care/domain/ids"
import { type ProviderReference, ReferenceRefused } from "@care/domain/payments"
import { Clock, Context, Effect, Layer } from "effect"
import type StripeClient from "stripe"
import { makeDeletedCustomersRepo, makePatientCustomersRepo, type SavedMethod } from "../../customers/index.ts"
import { hasOtherCells } from "../../hasOtherCells.ts"
import {
  type IntentUpdate,
  organizationIn,
  Stripe,
  type StripeRefused,
  stateOfChargedIntent
} from "../../stripe/index.ts"

/**
 * A verified reference: the state of a payment intent, or the method of a setup intent or token that has a customer.
 */
export interface VerifiedReference {
  readonly update?: IntentUpdate
  readonly method?: SavedMethod | undefined
}

// The prefixes of the types, checked before the gateway is called.
const prefixes = {
  PAYMENT_INTENT: /^pi_/,
  SETUP_INTENT: /^seti_/,
  PAYMENT_TOKEN: /^(pm|tok)_/
} as const

/** The reasons for refusing a reference that is unknown to the gateway or belongs to another organization. */
export const unknownReference = {
  PAYMENT_INTENT: "no such payment intent",
  SETUP_INTENT: "no such setup intent",
  PAYMENT_TOKEN: "no such payment token"
} as const

type OwnedObject = Pick<StripeClient.PaymentIntent, "customer"> & { readonly metadata: StripeClient.Metadata | null }

// Returns the organizations that the object and its customer name.
const ownersOf = ({ customer, metadata }: OwnedObject) =>
  [
    organizationIn({ metadata }),
    typeof customer === "object" && customer !== null && !customer.deleted ? organizationIn(customer) : undefined
  ].filter((owner) => owner !== undefined)

type IdOrObject = string | { readonly id: string } | null

const idOf = (reference: IdOrObject): string | undefined => (typeof reference === "string" ? reference : reference?.id)

const isDeletedCustomer = (customer: OwnedObject["customer"]): boolean =>
  typeof customer === "object" && customer?.deleted === true

const methodOf = (customer: OwnedObject["customer"], paymentMethod: IdOrObject): SavedMethod | undefined => {
  const [customerId, paymentMethodId] = [idOf(customer), idOf(paymentMethod)]
  return customerId === undefined || paymentMethodId === undefined ? undefined : { customerId, paymentMethodId }
}

const withCustomer = { expand: ["customer"] }

/** The references of payments at the gateway. */
export class References extends Context.Service<
  References,
  {
    /**
     * Verifies the reference of an organization's payment. Refuses one that is unknown to the gateway, of another kind,
     * another organization's or its customer's, or unable to pay. With several cells it also refuses an intent or a customer that names no
     * organization, because two cells might accept it.
     */
    readonly verify: (
      organizationId: OrganizationId,
      reference: ProviderReference
    ) => Effect.Effect<VerifiedReference, ReferenceRefused>
  }
>()("@care/payments/references/References") {
  static readonly layer = Layer.effect(
    References,
    Effect.gen(function* () {
      const customers = yield* makePatientCustomersRepo
      const deletedCustomers = yield* makeDeletedCustomersRepo
      const hasOthers = yield* hasOtherCells
      const stripe = yield* Stripe

      return References.of({
        verify: Effect.fn("References.verify")(function* (organizationId, { id, type }) {
          const refused = (reason: string) => new ReferenceRefused({ type, reason })
          const unknown = refused(unknownReference[type])
          const orUnknown = <A>(lookup: Effect.Effect<A, StripeRefused>) => Effect.mapError(lookup, () => unknown)
          const requireOwn = Effect.fnUntraced(function* <A extends OwnedObject>(
            lookup: Effect.Effect<A, StripeRefused>
          ) {
            const found = yield* orUnknown(lookup)
            const owners = ownersOf(found)
            const customerId = idOf(found.customer)
            // A payment intent belongs to the organization that it names. A method belongs to the organization that has
            // its customer.
            const namesOwner = type === "PAYMENT_INTENT" && owners.length > 0
            const mayBeElsewhere =
              owners.length === 0 && hasOthers && (type === "PAYMENT_INTENT" || customerId !== undefined)
            const isTaken =
              mayBeElsewhere ||
              (customerId !== undefined && !namesOwner && (yield* customers.isTaken(organizationId, customerId)))
            return owners.every((owner) => owner === organizationId) && !isTaken ? found : yield* unknown
          })
          // From the decision to delete a customer, none of their methods is accepted, even while the gateway still has them.
          const requireUsable = Effect.fnUntraced(function* (
            customer: OwnedObject["customer"],
            paymentMethod: IdOrObject
          ) {
            const method = methodOf(customer, paymentMethod)
            const isDeletionDecided =
              method !== undefined && (yield* deletedCustomers.has(organizationId, method.customerId))
            if (isDeletionDecided || isDeletedCustomer(customer)) return yield* refused("its customer is deleted")
            return { method }
          })
          if (!prefixes[type].test(id)) return yield* unknown
          if (type === "PAYMENT_INTENT") {
            const intent = yield* requireOwn(
              stripe.ask(organizationId, "paymentIntents.retrieve", (client) =>
                client.paymentIntents.retrieve(id, { expand: ["customer", "latest_charge"] })
              )
            )
            if (intent.status === "canceled") return yield* refused("the payment intent is canceled")
            return { update: stateOfChargedIntent(intent, Math.floor((yield* Clock.currentTimeMillis) / 1000)) }
          }
          if (type === "SETUP_INTENT") {
            const intent = yield* requireOwn(
              stripe.ask(organizationId, "setupIntents.retrieve", (client) =>
                client.setupIntents.retrieve(id, withCustomer)
              )
            )
            if (intent.status !== "succeeded") return yield* refused("the setup intent is not confirmed")
            return yield* requireUsable(intent.customer, intent.payment_method)
          }
          if (id.startsWith("tok_")) {
            yield* orUnknown(stripe.ask(organizationId, "tokens.retrieve", (client) => client.tokens.retrieve(id)))
            return {}
          }
          const method = yield* requireOwn(
            stripe.ask(organizationId, "paymentMethods.retrieve", (client) =>
              client.paymentMethods.retrieve(id, withCustomer)
            )
          )
          return yield* requireUsable(method.customer, id)
        })
      })
    })
  )
}
