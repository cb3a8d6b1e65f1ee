import type { CaseId, OrganizationId, PrescriberSummary, ProductId, UserId } from "@care/domain"
import { execute, finds } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A decision about to be stored: `decisionText`, `category` and `medInfo` are sealed. */
export interface NewDecisionRow {
  readonly id: string
  readonly caseId: CaseId
  readonly organizationId: OrganizationId
  readonly addedBy: UserId
  readonly prescriber: PrescriberSummary
  readonly isApproved: boolean
  readonly isNoDecision: boolean
  readonly decisionText: string
  readonly category: string | null
  readonly visitType: string
  readonly productId: ProductId | null
  readonly startDate: Date
  readonly endDate: Date
  readonly medInfo: string
  readonly createdAt: Date
}

/** SQL of decisions. */
export const makeDecisionsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Whether a case has the product. */
    hasProduct: (organizationId: OrganizationId, caseId: CaseId, productId: ProductId) =>
      finds(sql`
        SELECT product_id FROM case_products
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND product_id = ${productId}
        LIMIT 1
      `),

    insert: ({ prescriber, ...decision }: NewDecisionRow) =>
      execute(sql`INSERT INTO decisions ${sql.insert({ ...decision, prescriber: JSON.stringify(prescriber) })}`)
  }
})
