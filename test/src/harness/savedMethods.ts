import { Effect } from "effect"
import { admin } from "./call.ts"
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
