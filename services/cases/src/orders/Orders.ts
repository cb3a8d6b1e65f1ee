import { Order } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { type CaseId, OrganizationId } from "@care/domain/ids"
import { sealed, sealedRow, sealedRowsOf } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

export const OrderRow = sealedRow("orders", ["organizationId", "id"], {
  ...Order.fields,
  organizationId: OrganizationId,
  createdAt: Schema.Date,
  estDeliveryAt: Schema.NullOr(Schema.Date),
  items: sealed(Order.fields.items),
  message: sealed(Order.fields.message),
  replacementReason: sealed(Order.fields.replacementReason),
  shippingLogs: sealed(Order.fields.shippingLogs)
})

export class Orders extends Context.Service<
  Orders,
  {
    /** The orders of a case, newest first. */
    readonly newest: (
      organizationId: OrganizationId,
      caseId: CaseId,
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Order>>
  }
>()("@care/cases/orders/Orders") {
  static readonly layer = Layer.effect(
    Orders,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const orders = yield* sealedRowsOf(OrderRow)
      return Orders.of({
        newest: (organizationId, caseId, before, limit) =>
          Effect.map(
            orders.all(sql`
            SELECT organization_id, id, external_id, pharmacy_order_id, tracking_id, status, message, pharmacy_name,
                   created_at, items, replacement_reason, shipping_logs, est_delivery_at, tracking_url, carrier_name
            FROM orders
            WHERE organization_id = ${organizationId} AND case_id = ${caseId}
              AND (created_at, id) < (${before.createdAt}, ${before.id})
            ORDER BY created_at DESC, id DESC
            LIMIT ${limit}
          `),
            Arr.map(({ organizationId: _, ...order }) => order)
          )
      })
    })
  )
}
