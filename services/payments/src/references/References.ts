import type { OrganizationId } from "@care/domain/ids"
import { type ProviderReference, ReferenceRefused } from "@care/domain/payments"
import { Clock, Context, Effect, Layer } from "effect"
import type { IntentNews } from "../payments/Payments.ts"
import { factsOfIntent, organizationIn } from "../stripe/factsOf.ts"
import { Stripe, type StripeRefused } from "../stripe/Stripe.ts"

const refused = (reason: string) => new ReferenceRefused({ reason })

// As much as tells one kind from another before the gateway is asked.
const prefixes = {
  PAYMENT_INTENT: /^pi_/,
  SETUP_INTENT: /^seti_/,
  PAYMENT_TOKEN: /^(pm|tok)_/
} as const

const unknown = {
  PAYMENT_INTENT: "no such payment intent",
  SETUP_INTENT: "no such setup intent",
  PAYMENT_TOKEN: "no such payment token"
} as const

/** What payments refer to at the gateway. */
export class References extends Context.Service<
  References,
  {
    /**
     * Looks up what a payment of an organization refers to: the news of its intent, if it is a payment intent. Refuses what
     * the gateway does not know as what it is said to be, what was made for another organization, and what can pay nothing.
     */
    readonly verify: (
      organizationId: OrganizationId,
      reference: ProviderReference
    ) => Effect.Effect<IntentNews | undefined, ReferenceRefused>
  }
>()("@care/payments/references/References") {
  static readonly layer = Layer.effect(
    References,
    Effect.gen(function* () {
      const stripe = yield* Stripe

      return References.of({
        verify: Effect.fn("References.verify")(function* (organizationId, { id, type }) {
          const notKnown = refused(unknown[type])
          const known = <A>(asked: Effect.Effect<A, StripeRefused>) => Effect.mapError(asked, () => notKnown)
          const own = <A extends Parameters<typeof organizationIn>[0]>(object: A) => {
            const owner = organizationIn(object)
            return owner === undefined || owner === organizationId ? Effect.succeed(object) : Effect.fail(notKnown)
          }
          if (!prefixes[type].test(id)) return yield* notKnown
          if (type === "PAYMENT_INTENT") {
            const asked = stripe.ask("paymentIntents.retrieve", (client) => client.paymentIntents.retrieve(id))
            const intent = yield* Effect.flatMap(known(asked), own)
            if (intent.status === "canceled") return yield* refused("the payment intent is canceled")
            return factsOfIntent(intent, Math.floor((yield* Clock.currentTimeMillis) / 1000))
          }
          if (type === "SETUP_INTENT") {
            const asked = stripe.ask("setupIntents.retrieve", (client) => client.setupIntents.retrieve(id))
            const intent = yield* Effect.flatMap(known(asked), own)
            if (intent.status !== "succeeded") return yield* refused("the setup intent is not confirmed")
            return undefined
          }
          yield* id.startsWith("tok_")
            ? known(stripe.ask("tokens.retrieve", (client) => client.tokens.retrieve(id)))
            : known(stripe.ask("paymentMethods.retrieve", (client) => client.paymentMethods.retrieve(id)))
          return undefined
        })
      })
    })
  )
}
