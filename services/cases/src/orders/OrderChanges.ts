import type { AdminOrder, OrderChange, OrderNotFound, OrderStatusConflict, ShippingLog } from "@care/domain/cases"
import type { OrderId } from "@care/domain/ids"
import { Context, DateTime, Effect, Layer } from "effect"
import { Orders } from "./Orders.ts"

/** An entry of the shipping log as it is stored: of now, if nothing else is said. */
const logged = (
  { location = null, message = null, status = null, statusUpdatedAt }: NonNullable<OrderChange["shippingLog"]>,
  now: Date
): ShippingLog => ({ location, message, status, statusUpdatedAt: statusUpdatedAt ?? now })

/** How orders go on, as those tell who see it. */
export class OrderChanges extends Context.Service<
  OrderChanges,
  {
    readonly byBackOffice: (
      id: OrderId,
      change: OrderChange
    ) => Effect.Effect<AdminOrder, OrderNotFound | OrderStatusConflict>
  }
>()("@care/cases/orders/OrderChanges") {
  static readonly layer = Layer.effect(
    OrderChanges,
    Effect.gen(function* () {
      const orders = yield* Orders

      return OrderChanges.of({
        byBackOffice: Effect.fn("OrderChanges.byBackOffice")(function* (id, { shippingLog, ...change }) {
          const organizationId = yield* orders.ownerOf(id)
          const news = {
            ...change,
            ...(shippingLog !== undefined && { shippingLog: logged(shippingLog, yield* DateTime.nowAsDate) })
          }
          const order = yield* orders.change(organizationId, id, "backOffice", news)
          const { shippingAddress } = yield* orders.contents(organizationId, id)
          return { ...order, shippingAddress }
        })
      })
    })
  ).pipe(Layer.provide(Orders.layer))
}
