import { ofUser, type PatientTable } from "@care/phi"
import { ConfirmationRow } from "../confirmations/index.ts"
import { SavedMethodRow } from "../customers/index.ts"
import { PaymentRow } from "../payments/index.ts"

const ofPayments =
  (column: string, paymentColumn: string): PatientTable["of"] =>
  (sql, { organizationId, userId }) =>
    sql`
    ${sql(column)} IN (
      SELECT ${sql(paymentColumn)} FROM payments WHERE organization_id = ${organizationId} AND user_id = ${userId}
    )
  `

/** The tables with a patient's data. */
export const patientTables: ReadonlyArray<PatientTable> = [
  { table: "payments", row: PaymentRow, of: ofUser(), key: ["created_at", "id"] },
  { table: "payment_intents", of: ofPayments("id", "intent_id"), key: ["id"] },
  { table: "payment_confirmations", row: ConfirmationRow, of: ofPayments("payment_id", "id"), key: ["id"] },
  { table: "saved_methods", row: SavedMethodRow, of: ofUser(), key: ["user_id"] },
  { table: "patient_customers", of: ofUser(), key: ["customer_id"] },
  { table: "case_owners", of: ofUser(), key: ["case_id"] },
  { table: "promo_redemptions", of: ofPayments("case_id", "case_id"), key: ["case_id", "promo_code_id"] }
]
