import { ofUser, type PatientTable } from "@care/service-kit"
import { ConfirmationRow } from "../confirmations/ConfirmationsRepo.ts"
import { PaymentRow } from "../payments/PaymentsRepo.ts"
import { SavedMethodRow } from "../savedMethods/SavedMethodsRepo.ts"

const ofPayments =
  (column: string, named: string): PatientTable["of"] =>
  (sql, { organizationId, userId }) =>
    sql`
    ${sql(column)} IN (
      SELECT ${sql(named)} FROM payments WHERE organization_id = ${organizationId} AND user_id = ${userId}
    )
  `

/** Everything that payments keeps of a patient. */
export const patientTables: ReadonlyArray<PatientTable> = [
  { table: "payments", row: PaymentRow, of: ofUser(), order: "created_at, id" },
  { table: "payment_intents", of: ofPayments("id", "intent_id"), order: "id" },
  { table: "payment_confirmations", row: ConfirmationRow, of: ofPayments("payment_id", "id"), order: "told_at, id" },
  { table: "saved_methods", row: SavedMethodRow, of: ofUser(), order: "saved_at" },
  { table: "case_owners", of: ofUser(), order: "case_id" },
  { table: "promo_redemptions", of: ofPayments("case_id", "case_id"), order: "created_at, promo_code_id" }
]
