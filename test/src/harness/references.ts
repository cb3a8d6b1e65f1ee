import { Effect } from "effect"
import type StripeClient from "stripe"
import { askStripe } from "./stripe.ts"

const visa = { payment_method: "pm_card_visa", return_url: "https://example.com" }

/** Creates a confirmed setup intent, and returns a reference to it. */
export const confirmedSetupReference = Effect.gen(function* () {
  const customer = yield* askStripe((client) => client.customers.create())
  const { id } = yield* askStripe((client) =>
    client.setupIntents.create({ customer: customer.id, confirm: true, ...visa })
  )
  return { type: "SETUP_INTENT", id } as const
})

/** Creates a payment intent, by default open and of 10 USD, and returns a reference to it. */
export const paymentIntent = (params: Partial<StripeClient.PaymentIntentCreateParams> = {}) =>
  Effect.map(
    askStripe((client) => client.paymentIntents.create({ amount: 1000, currency: "usd", ...params })),
    ({ id }) => ({ type: "PAYMENT_INTENT", id }) as const
  )

/** The parameters of a payment intent that is paid at once. */
export const paid = { confirm: true, ...visa }

/** Makes the `payment` of a case creation: 10 USD, not paid yet. */
export const newPayment = Effect.map(confirmedSetupReference, (providerReference) => ({
  amount: 10,
  currency: "USD",
  providerReference
}))
