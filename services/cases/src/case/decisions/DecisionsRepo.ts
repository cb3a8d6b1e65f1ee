import { PrescriberSummary } from "@care/domain/auth"
import { Decision } from "@care/domain/cases"
import { CaseId, OrganizationId, type ProductId, UserId } from "@care/domain/ids"
import { erasedText, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { newestOfCase, type PageOfCase } from "../newestOfCase.ts"

/** A stored decision. `prescriber` is the summary of the provider at that time. */
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

/** Returns a decision as responses show it, with the summary of the provider at that time. */
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
  const columns = sql.literal(`
    organization_id, id, case_id, is_approved, is_no_decision, start_date, end_date, decision_text, category, created_at,
    visit_type, product_id, added_by, prescriber, med_info
  `)
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

    findAll: (organizationId: OrganizationId, ids: ReadonlyArray<string>) =>
      decisions.all(sql`
        SELECT ${columns} FROM decisions WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
      `),

    newest: (...page: PageOfCase) => decisions.all(sql`SELECT ${columns} FROM decisions ${newestOfCase(sql, page)}`)
  }
})
