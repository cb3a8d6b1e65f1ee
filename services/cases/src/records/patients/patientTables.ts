import { ofUser, type PatientTable } from "@care/phi"
import { CaseAddressRow, CaseProductRow, CaseRow, DecisionRow } from "../../case/index.ts"
import { StoredComment } from "../../comments/index.ts"
import { DocumentRow } from "../../documents/index.ts"
import { EscalationRow } from "../../escalations/index.ts"
import { FormResponseRow } from "../../intake/index.ts"
import { OrderContentsRow, OrderRow } from "../../orders/index.ts"
import { BreakGlassRow } from "../breakGlass/BreakGlassRepo.ts"

const ofCases: PatientTable["of"] = (sql, { organizationId, userId }) => sql`
  case_id IN (SELECT id FROM cases WHERE organization_id = ${organizationId} AND user_id = ${userId})
`
const ofOrders: PatientTable["of"] = (sql, patient) => sql`
  order_id IN (SELECT id FROM orders WHERE organization_id = ${patient.organizationId} AND ${ofCases(sql, patient)})
`

/** The tables with data of patients, except the contents of documents. */
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
  { table: "break_glass", row: BreakGlassRow, of: ofCases, key: ["created_at", "id"] },
  { table: "case_payments", of: ofCases, key: ["payment_id"] },
  { table: "calendar_event_snapshots", of: ofCases, key: ["event_id"] }
]
