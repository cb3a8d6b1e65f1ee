import { Effect } from "effect"
import { inDatabase } from "./database.ts"
import type { Clinic } from "./fixtures.ts"
import { askStripe } from "./stripe.ts"

/** Saves a test card, such as `pm_card_visa`, as the payment method of the patient of a case. Returns the Stripe customer's id. */
export const saveMethod = Effect.fnUntraced(function* ({ organizationId }: Clinic, caseId: string, card: string) {
  const customerId = (yield* askStripe((client) => client.customers.create({}))).id
  const method = yield* askStripe((client) => client.paymentMethods.attach(card, { customer: customerId }))
  yield* inDatabase(
    (sql) => sql`
      WITH saved AS (
        INSERT INTO payments.saved_methods (organization_id, user_id, customer_id, payment_method_id, saved_at)
        SELECT organization_id, user_id, ${customerId}, ${method.id}, now() FROM cases.cases
        WHERE organization_id = ${organizationId} AND id = ${caseId}
        RETURNING organization_id, customer_id, user_id
      )
      INSERT INTO payments.patient_customers (organization_id, customer_id, user_id) TABLE saved
    `
  )
  return customerId
})
