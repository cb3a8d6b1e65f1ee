import { Order } from "@care/domain/cases"
import { type CaseId, OrganizationId } from "@care/domain/ids"
import { sealed, sealedRow, sealedRowsOf } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
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

// Far more than any case has; a list without a bound could not be read.
const longestList = 1000

export class Orders extends Context.Service<
  Orders,
  {
    /** The orders of a case, oldest first. */
    readonly ofCase: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<ReadonlyArray<Order>>
  }
>()("@care/cases/orders/Orders") {
  static readonly layer = Layer.effect(
    Orders,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const orders = yield* sealedRowsOf(OrderRow)
      return Orders.of({
        ofCase: (organizationId, caseId) =>
          orders.all(sql`
            SELECT organization_id, id, external_id, pharmacy_order_id, tracking_id, status, message, pharmacy_name,
                   created_at, items, replacement_reason, shipping_logs, est_delivery_at, tracking_url, carrier_name
            FROM orders
            WHERE organization_id = ${organizationId} AND case_id = ${caseId}
            ORDER BY created_at, id
            LIMIT ${longestList}
          `)
      })
    })
  )
}
