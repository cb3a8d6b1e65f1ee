import { type CaseId, Order, type OrganizationId } from "@care/domain"
import { PhiCipher, rowsOf } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

const sealedOrders = rowsOf(
  Schema.Struct({
    ...Order.fields,
    createdAt: Schema.Date,
    estDeliveryAt: Schema.NullOr(Schema.Date),
    items: Schema.String,
    shippingLogs: Schema.NullOr(Schema.String)
  })
)

const decodeItems = Schema.decodeUnknownSync(Schema.fromJsonString(Order.fields.items))
const decodeLogs = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.toCodecJson(Order.fields.shippingLogs)))

// Far more than any case has; a list without a bound could not be read.
const longestList = 1000

/** Medication orders. */
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
      const cipher = yield* PhiCipher
      const opened = (sealed: string | null) => (sealed === null ? null : cipher.open(sealed))

      return Orders.of({
        ofCase: (organizationId, caseId) =>
          sealedOrders
            .all(sql`
              SELECT id, external_id, pharmacy_order_id, tracking_id, status, message, pharmacy_name, created_at, items,
                     replacement_reason, shipping_logs, est_delivery_at, tracking_url, carrier_name
              FROM orders
              WHERE organization_id = ${organizationId} AND case_id = ${caseId}
              ORDER BY created_at, id
              LIMIT ${longestList}
            `)
            .pipe(
              Effect.map((rows) =>
                rows.map(({ items, message, replacementReason, shippingLogs, ...row }) => ({
                  ...row,
                  items: decodeItems(cipher.open(items)),
                  message: opened(message),
                  replacementReason: opened(replacementReason),
                  shippingLogs: shippingLogs === null ? [] : decodeLogs(cipher.open(shippingLogs))
                }))
              )
            )
      })
    })
  )
}
