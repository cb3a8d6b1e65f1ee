import { Effect } from "effect"
import { admin, call } from "./call.ts"
import { inDatabase } from "./database.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./fixtures.ts"
import { askStripe } from "./stripe.ts"

/** The id of a setup intent that does not exist. */
export const unknownSetup = "seti_1unknown"

/** Makes an organization with a patient. */
export const clinicWithPatient = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const user = newPatient()
  const created = yield* createCase(clinic, caseBody(clinic, { user }))
  const caseId: string = created.json.data.caseId
  const userId: string = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
  return { clinic, email: user.email, userId }
})

/** Reads the saved payment methods of the patients of an organization. */
export const savedMethodsOf = ({ organizationId }: Clinic) =>
  inDatabase(
    "payments",
    (sql) => sql<{ user_id: string; customer_id: string; payment_method_id: string; shipping_address: string }>`
      SELECT user_id, customer_id, payment_method_id, shipping_address FROM payments.saved_methods
      WHERE organization_id = ${organizationId}
    `
  )

/** Reads the patients of an organization who have a payment method, with their customer and method at Stripe. */
export const patientMethodsOf = (clinic: Clinic) =>
  Effect.map(savedMethodsOf(clinic), (rows) =>
    rows.map(({ customer_id, payment_method_id, user_id }) => [user_id, customer_id, payment_method_id])
  )

/** Creates a confirmed setup intent directly at Stripe, and returns its id. */
export const foreignSetup = Effect.fnUntraced(function* (
  email: string | undefined,
  metadata: Readonly<Record<string, string>> = {},
  hasCustomer = true
) {
  const customer = hasCustomer
    ? (yield* askStripe((stripe) => stripe.customers.create(email === undefined ? {} : { email }))).id
    : undefined
  const setup = yield* askStripe((stripe) =>
    stripe.setupIntents.create({
      ...(customer !== undefined && { customer }),
      metadata,
      confirm: true,
      payment_method: "pm_card_visa",
      return_url: "https://shop.example.com"
    })
  )
  return setup.id
})

/** The address in a body of complete-payment-setup. */
export const address = {
  line1: "500 Howard Street",
  line2: "Floor 2",
  city: "San Francisco",
  state: "CA",
  country: "US",
  postal_code: "94105"
}

/** The same address in a body of UPDATE_PAYMENT_INFO. */
export const shippingAddress = {
  addressLine1: "500 Howard Street",
  addressLine2: "",
  city: "San Francisco",
  state: "CA",
  country: "US",
  postalCode: "94105"
}

type Headers = Readonly<Record<string, string>>
type Changes = Readonly<Record<string, unknown>>

/** Sends complete-payment-setup. */
export const completeSetup = ({ key }: Pick<Clinic, "key">, body: unknown, headers: Headers = {}) =>
  call("POST", "/api/v1/complete-payment-setup", { key, body, headers })

export const completionBody = (gatewaySetupID: string, changes: Changes = {}) => ({
  gatewaySetupID,
  shippingAddress: { ...address, ...changes }
})

/** Sends UPDATE_PAYMENT_INFO. */
export const updatePaymentInfo = ({ key }: Pick<Clinic, "key">, body: object, headers: Headers = {}) =>
  call("POST", "/api/v1/users", { key, body: { action: "UPDATE_PAYMENT_INFO", ...body }, headers })

export const paymentInfoBody = (gatewaySetupId: string, gatewayPaymentToken: string, changes: Changes = {}) => ({
  gatewaySetupId,
  gatewayPaymentToken,
  shippingAddress,
  ...changes
})
