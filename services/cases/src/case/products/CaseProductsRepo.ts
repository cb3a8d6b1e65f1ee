import { CaseProductStatus } from "@care/domain/cases"
import { CaseId, OrganizationId, ProductId } from "@care/domain/ids"
import { type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** What identifies a sealed row. A case that has a product more than once has one close reason for all of them. */
export const caseProductKey = ["organizationId", "caseId", "productId"] as const
export const caseProductColumns = {
  organizationId: OrganizationId,
  caseId: CaseId,
  productId: ProductId,
  status: CaseProductStatus,
  closedAt: Schema.NullOr(Schema.Date),
  closeReason: sealed(Schema.NullOr(Schema.String))
}
/** A stored product of a case. */
export const CaseProductRow = sealedRow("case_products", caseProductKey, caseProductColumns)

const open: CaseProductStatus = "OPEN"
const closed: CaseProductStatus = "CLOSED"

/** A product in a case. */
export interface ProductOfCase {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly productId: ProductId
}

const openStates = rowsOf(Schema.Struct({ isOpen: Schema.Boolean }))

/** SQL for the products of cases. Both changes update every open row of the product, and return false when there is none to update. */
export const makeCaseProductsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sealedRowsOf(CaseProductRow)
  const where = ({ caseId, organizationId, productId }: ProductOfCase) => sql`
    organization_id = ${organizationId} AND case_id = ${caseId} AND product_id = ${productId}
  `

  return {
    /** Returns whether the product is open anywhere in the case, or none when it is not in the case. */
    isOpen: (product: ProductOfCase) =>
      openStates.first(sql`
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
