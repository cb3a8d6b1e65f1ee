import { Effect } from "effect"
import { call } from "./call.ts"
import type { Clinic } from "./fixtures.ts"
import { askStripe, atStripe } from "./stripe.ts"

/** The id of an intent, of which this is the client secret. */
export const idIn = (secret: string): string => secret.slice(0, secret.indexOf("_secret_"))

/** What something of the gateway says of whose it is: which operation made it is not of interest. */
export const ownersIn = ({ operationId: _, ...owners }: Readonly<Record<string, string>>) => owners

/** Creates a setup intent for a patient, who has not confirmed it: its id. */
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

/** A setup intent that a patient has confirmed: its id, and the customer and the method at the gateway. */
export const confirmedSetup = Effect.fnUntraced(function* (clinic: Pick<Clinic, "key">, email?: string) {
  const id = yield* newSetup(clinic, email)
  yield* confirmSetup(id)
  const { customer, payment_method } = yield* askStripe((stripe) => stripe.setupIntents.retrieve(id))
  return { id, customerId: String(customer), paymentMethodId: String(payment_method) }
})
