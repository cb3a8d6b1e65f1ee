import { Effect } from "effect"
import { inDatabase } from "./database.ts"
import { patientOf } from "./erasures.ts"
import type { Clinic } from "./fixtures.ts"
import { askStripe } from "./stripe.ts"

/** Saves a test card, such as `pm_card_visa`, as the payment method of the patient of a case. Returns the Stripe customer's id. */
export const saveMethod = Effect.fnUntraced(function* (clinic: Clinic, caseId: string, card: string) {
  const customerId = (yield* askStripe((client) => client.customers.create({}))).id
  const method = yield* askStripe((client) => client.paymentMethods.attach(card, { customer: customerId }))
  const userId = yield* patientOf(clinic, caseId)
  yield* inDatabase(
    "payments",
    (sql) => sql`
      WITH saved AS (
        INSERT INTO payments.saved_methods (organization_id, user_id, customer_id, payment_method_id, saved_at)
        VALUES (${clinic.organizationId}, ${userId}, ${customerId}, ${method.id}, now())
        RETURNING organization_id, customer_id, user_id
      )
      INSERT INTO payments.patient_customers (organization_id, customer_id, user_id) TABLE saved
    `
  )
  return customerId
})
