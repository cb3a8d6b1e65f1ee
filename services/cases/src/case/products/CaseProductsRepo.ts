import { CaseProductStatus } from "@care/domain/cases"
import { CaseId, OrganizationId, ProductId } from "@care/domain/ids"
import { type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** A product in a case, and its end. A case that has the product more than once tells one reason for all of them. */
export const caseProductKey = ["organizationId", "caseId", "productId"] as const
export const caseProductColumns = {
  organizationId: OrganizationId,
  caseId: CaseId,
  productId: ProductId,
  status: CaseProductStatus,
  closedAt: Schema.NullOr(Schema.Date),
  closeReason: sealed(Schema.NullOr(Schema.String))
}
/** What became of a product in a case. */
export const CaseProductRow = sealedRow("case_products", caseProductKey, caseProductColumns)

const open: CaseProductStatus = "OPEN"
const closed: CaseProductStatus = "CLOSED"

/** A product in a case. */
export interface ProductOfCase {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly productId: ProductId
}

const openOrNot = rowsOf(Schema.Struct({ isOpen: Schema.Boolean }))

/** Both changes are made wherever the product is open in the case: false when there was nothing to change. */
export const makeCaseProductsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sealedRowsOf(CaseProductRow)
  const where = ({ caseId, organizationId, productId }: ProductOfCase) => sql`
    organization_id = ${organizationId} AND case_id = ${caseId} AND product_id = ${productId}
  `

  return {
    /** Whether the product is open anywhere in the case; none when it is not in the case. */
    isOpen: (product: ProductOfCase) =>
      openOrNot.first(sql`
        SELECT bool_or(status = ${open}) AS is_open FROM case_products WHERE ${where(product)} GROUP BY product_id
      `),

    close: (key: PatientKey, product: ProductOfCase, closeReason: string | null, closedAt: Date) => {
      const changes = rows.seal(key, { ...product, status: closed, closedAt, closeReason })
      return affects(sql`
        UPDATE case_products SET ${sql.update(changes, caseProductKey)}
        WHERE ${where(product)} AND status = ${open}
        RETURNING index
      `)
    },

    moveDueDate: (product: ProductOfCase, dueDate: string) =>
      affects(sql`
        UPDATE case_products SET due_date = ${dueDate}::date
        WHERE ${where(product)} AND status = ${open} AND due_date IS DISTINCT FROM ${dueDate}::date
        RETURNING index
      `)
  }
})
