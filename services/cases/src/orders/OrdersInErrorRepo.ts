import { OrderInError } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { type OrganizationId, UserId } from "@care/domain/ids"
import { sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"

/** An order in error, with the short id and the patient of its case. */
const OrderInErrorRow = sealedRow("orders", ["organizationId", "id"], {
  ...Struct.omit(OrderInError.fields, ["submitter"]),
  userId: UserId,
  message: sealed(OrderInError.fields.message),
  pharmacyOrderId: Schema.NullOr(Schema.String),
  pharmacyName: Schema.NullOr(Schema.String),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})

export const makeOrdersInErrorRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const orders = yield* sealedRowsOf(OrderInErrorRow)
  return {
    /** Returns orders in error, oldest first. The status is a literal, so that their index applies. */
    list: (organizationId: OrganizationId, after: PagePosition, limit: number) =>
      orders.all(
        sql`
          SELECT page.*, of_case.short_id, of_case.user_id FROM (
            SELECT organization_id, id, case_id, status, message, pharmacy_order_id, pharmacy_name, created_at, updated_at
            FROM orders
            WHERE organization_id = ${organizationId} AND status = 'ERROR'
              AND (created_at, id) > (${after.createdAt}, ${after.id})
            ORDER BY created_at, id LIMIT ${limit}
          ) AS page
          CROSS JOIN LATERAL (
            SELECT short_id, user_id FROM cases
            WHERE organization_id = page.organization_id AND id = page.case_id LIMIT 1
          ) AS of_case
          ORDER BY created_at, id
        `.unprepared
      )
  }
})
