import { Effect } from "effect"
import { admin, call } from "./call.ts"
import { inDatabase } from "./database.ts"
import { type Clinic, caseBody, createCase, makeClinic, newPatient } from "./fixtures.ts"
import { askStripe } from "./stripe.ts"

/** A setup intent that the gateway does not know. */
export const unknownSetup = "seti_1unknown"

/** An organization with a patient. */
export const clinicWithPatient = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const user = newPatient()
  const created = yield* createCase(clinic, caseBody(clinic, { user }))
  const caseId: string = created.json.data.caseId
  const userId: string = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
  return { clinic, email: user.email, userId }
})

/** What is saved of the patients of an organization. */
export const savedOf = ({ organizationId }: Clinic) =>
  inDatabase(
    (sql) => sql<{ user_id: string; customer_id: string; payment_method_id: string; shipping_address: string }>`
      SELECT user_id, customer_id, payment_method_id, shipping_address FROM payments.saved_methods
      WHERE organization_id = ${organizationId}
    `
  )

/** The patients of an organization who have a method, with the customer and the method at the gateway. */
export const methodsOf = (clinic: Clinic) =>
  Effect.map(savedOf(clinic), (rows) =>
    rows.map(({ customer_id, payment_method_id, user_id }) => [user_id, customer_id, payment_method_id])
  )

/** A setup intent that was made elsewhere on the platform's account, and confirmed. */
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

/** An address as a completion has it. */
export const address = {
  line1: "500 Howard Street",
  line2: "Floor 2",
  city: "San Francisco",
  state: "CA",
  country: "US",
  postal_code: "94105"
}

/** The same as UPDATE_PAYMENT_INFO has it. */
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

/** Asks for the method of a setup intent to be the one of the patient whom it names. */
export const complete = ({ key }: Pick<Clinic, "key">, body: unknown, headers: Headers = {}) =>
  call("POST", "/api/v1/complete-payment-setup", { key, body, headers })

export const completion = (gatewaySetupID: string, changes: Changes = {}) => ({
  gatewaySetupID,
  shippingAddress: { ...address, ...changes }
})

/** Asks for UPDATE_PAYMENT_INFO. */
export const update = ({ key }: Pick<Clinic, "key">, body: object, headers: Headers = {}) =>
  call("POST", "/api/v1/users", { key, body: { action: "UPDATE_PAYMENT_INFO", ...body }, headers })

export const details = (gatewaySetupId: string, gatewayPaymentToken: string, changes: Changes = {}) => ({
  gatewaySetupId,
  gatewayPaymentToken,
  shippingAddress,
  ...changes
})
