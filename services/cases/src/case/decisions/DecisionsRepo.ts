import { PrescriberSummary } from "@care/domain/auth"
import { Decision } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, OrganizationId, type ProductId, UserId } from "@care/domain/ids"
import { erasedText, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** A decision as it is stored. `prescriber` is how the provider was shown at the time. */
export const DecisionRow = sealedRow("decisions", ["organizationId", "id"], {
  ...Decision.fields,
  organizationId: OrganizationId,
  caseId: CaseId,
  addedBy: UserId,
  prescriber: PrescriberSummary,
  decisionText: sealed(Decision.fields.decisionText, erasedText),
  category: sealed(Decision.fields.category),
  medInfo: sealed(Decision.fields.medInfo, []),
  startDate: Schema.Date,
  endDate: Schema.Date,
  createdAt: Schema.Date
})
export type DecisionRow = OpenedRow<typeof DecisionRow>

/** A decision as it is shown, and nothing else of it: by the provider as they were shown at the time. */
export const decisionOf = (row: DecisionRow): Decision => ({
  id: row.id,
  isApproved: row.isApproved,
  isNoDecision: row.isNoDecision,
  startDate: row.startDate,
  endDate: row.endDate,
  decisionText: row.decisionText,
  category: row.category,
  createdAt: row.createdAt,
  visitType: row.visitType,
  productId: row.productId,
  addedBy: row.prescriber,
  medInfo: row.medInfo
})

export const makeDecisionsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const decisions = yield* sealedRowsOf(DecisionRow)
  return {
    hasProduct: (organizationId: OrganizationId, caseId: CaseId, productId: ProductId) =>
      affects(sql`
        SELECT product_id FROM case_products
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND product_id = ${productId}
        LIMIT 1
      `),

    insert: (key: PatientKey, decision: DecisionRow) =>
      execute(sql`
        INSERT INTO decisions ${sql.insert({
          ...decisions.seal(key, decision),
          prescriber: JSON.stringify(decision.prescriber)
        })}
      `),

    /** Newest first. */
    newest: (organizationId: OrganizationId, caseId: CaseId, before: PagePosition, limit: number) =>
      decisions.all(sql`
        SELECT organization_id, id, case_id, is_approved, is_no_decision, start_date, end_date, decision_text, category,
               created_at, visit_type, product_id, added_by, prescriber, med_info
        FROM decisions
        WHERE organization_id = ${organizationId} AND case_id = ${caseId}
          AND (created_at, id) < (${before.createdAt}, ${before.id})
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `)
  }
})
