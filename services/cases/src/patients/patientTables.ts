import { ofUser, type PatientTable } from "@care/phi"
import { CaseProductRow } from "../caseProducts/CaseProductsRepo.ts"
import { StoredComment } from "../comments/CommentsRepo.ts"
import { DecisionRow } from "../decisions/DecisionsRepo.ts"
import { DocumentRow } from "../documents/DocumentsRepo.ts"
import { EscalationRow } from "../escalations/EscalationsRepo.ts"
import { FormResponseRow } from "../forms/FormResponseRow.ts"
import { CaseRow } from "../lifecycle/CaseRow.ts"
import { OrderRow } from "../orders/OrdersRepo.ts"
import { OrderContentsRow } from "../orders/orderContents.ts"
import { CaseAddressRow } from "../shipping/caseAddress.ts"

const ofCases: PatientTable["of"] = (sql, { organizationId, userId }) => sql`
  case_id IN (SELECT id FROM cases WHERE organization_id = ${organizationId} AND user_id = ${userId})
`
const ofOrders: PatientTable["of"] = (sql, patient) => sql`
  order_id IN (SELECT id FROM orders WHERE organization_id = ${patient.organizationId} AND ${ofCases(sql, patient)})
`

/** Everything that cases keeps of a patient; contents of documents are read beside it. */
export const patientTables: ReadonlyArray<PatientTable> = [
  { table: "people", of: ofUser("id"), key: ["id"] },
  { table: "cases", row: CaseRow, of: ofUser(), key: ["created_at", "id"] },
  { table: "case_products", row: CaseProductRow, of: ofCases, key: ["case_id", "index"] },
  { table: "case_addresses", row: CaseAddressRow, of: ofCases, key: ["case_id"] },
  { table: "case_activity", of: ofCases, key: ["case_id", "sequence"] },
  { table: "form_responses", row: FormResponseRow, of: ofCases, key: ["created_at", "id"] },
  { table: "comments", row: StoredComment, of: ofCases, key: ["created_at", "id"] },
  { table: "decisions", row: DecisionRow, of: ofCases, key: ["created_at", "id"] },
  { table: "documents", row: DocumentRow, of: ofCases, key: ["uploaded_at", "id"] },
  { table: "orders", row: OrderRow, of: ofCases, key: ["created_at", "id"] },
  { table: "order_contents", row: OrderContentsRow, of: ofOrders, key: ["order_id"] },
  { table: "escalations", row: EscalationRow, of: ofCases, key: ["created_at", "id"] },
  { table: "case_payments", of: ofCases, key: ["payment_id"] }
]
