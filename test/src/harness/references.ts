import { Effect } from "effect"
import type StripeClient from "stripe"
import { askStripe } from "./stripe.ts"

const visa = { payment_method: "pm_card_visa", return_url: "https://example.com" }

/** A reference to a setup intent that is confirmed. */
export const confirmedSetup = Effect.gen(function* () {
  const customer = yield* askStripe((client) => client.customers.create())
  const { id } = yield* askStripe((client) =>
    client.setupIntents.create({ customer: customer.id, confirm: true, ...visa })
  )
  return { type: "SETUP_INTENT", id } as const
})

/** A reference to a payment intent, which is open and worth 10 USD unless something else is said. */
export const paymentIntent = (changes: Partial<StripeClient.PaymentIntentCreateParams> = {}) =>
  Effect.map(
    askStripe((client) => client.paymentIntents.create({ amount: 1000, currency: "usd", ...changes })),
    ({ id }) => ({ type: "PAYMENT_INTENT", id }) as const
  )

/** What a payment intent is made with that is paid at once. */
export const paid = { confirm: true, ...visa }

/** A payment of 10 USD in a body of case creation, of which nothing is paid yet. */
export const newPayment = Effect.map(confirmedSetup, (providerReference) => ({
  amount: 10,
  currency: "USD",
  providerReference
}))
