import { Effect } from "effect"
import { call } from "./call.ts"
import type { Clinic } from "./fixtures.ts"
import { askStripe, atStripe } from "./stripe.ts"

/** Returns the id of the intent that a client secret belongs to. */
export const idIn = (secret: string): string => secret.slice(0, secret.indexOf("_secret_"))

/** Returns the metadata of a Stripe object that names its owners, without the operation that made it. */
export const ownersIn = ({ operationId: _, ...owners }: Readonly<Record<string, string>>) => owners

/** Creates a setup intent for a patient, not confirmed yet, and returns its id. */
export const newSetup = ({ key }: Pick<Clinic, "key">, email?: string) =>
  Effect.map(
    call("POST", "/api/v1/payments/setup", { key, body: { ...(email !== undefined && { email }) } }),
    ({ json }) => idIn(json.paymentSecret)
  )

/** Confirms a setup intent, as the patient's browser does. */
export const confirmSetup = (id: string, method = "pm_card_visa") =>
  Effect.flatMap(atStripe, (stripe) =>
    stripe.confirm(id, { payment_method: method, return_url: "https://shop.example.com" })
  )

/** Creates and confirms a setup intent. Returns its id, and the customer and payment method at Stripe. */
export const confirmedSetup = Effect.fnUntraced(function* (clinic: Pick<Clinic, "key">, email?: string) {
  const id = yield* newSetup(clinic, email)
  yield* confirmSetup(id)
  const { customer, payment_method } = yield* askStripe((stripe) => stripe.setupIntents.retrieve(id))
  return { id, customerId: String(customer), paymentMethodId: String(payment_method) }
})
