import { Audit } from "@care/audit"
import type {
  AdminOrder,
  OrderChange,
  OrderNotFound,
  OrderStatusConflict,
  PharmacyUpdate,
  ShippingLog
} from "@care/domain/cases"
import { RequestInvalid } from "@care/domain/http"
import type { OrderId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../case/index.ts"
import { Orders } from "./Orders.ts"
import { makeOrdersRepo, orderOf } from "./OrdersRepo.ts"
import type { OrderUpdate } from "./orderAfter.ts"

// An entry of the shipping log is of now, if nothing else is said.
const newsOf = ({ shippingLog, ...rest }: OrderChange, now: Date): OrderUpdate => {
  if (shippingLog === undefined) return rest
  const { location, message, status, statusUpdatedAt } = shippingLog
  const log: ShippingLog = {
    statusUpdatedAt: statusUpdatedAt ?? now,
    location: location ?? null,
    message: message ?? null,
    status: status ?? null
  }
  return { ...rest, shippingLog: log }
}

// As far as the pharmacy's clock may be ahead. Whatever came after an event of the far future would be taken for older.
const mostAhead = "5 minutes"

/** How orders go on, as those tell who see it. */
export class OrderChanges extends Context.Service<
  OrderChanges,
  {
    readonly byBackOffice: (
      id: OrderId,
      change: OrderChange
    ) => Effect.Effect<AdminOrder, OrderNotFound | OrderStatusConflict>
    /** An event takes effect once: whether it is new. What comes too late to move the order is kept as far as it says something new. */
    readonly byPharmacy: (
      eventId: string,
      update: PharmacyUpdate
    ) => Effect.Effect<boolean, RequestInvalid | OrderNotFound>
  }
>()("@care/cases/orders/OrderChanges") {
  static readonly layer = Layer.effect(
    OrderChanges,
    Effect.gen(function* () {
      const audit = yield* Audit
      const cases = yield* Cases
      const orders = yield* Orders
      const repo = yield* makeOrdersRepo
      const sql = yield* SqlClient.SqlClient

      return OrderChanges.of({
        byBackOffice: Effect.fn("OrderChanges.byBackOffice")(function* (id, change) {
          const organizationId = yield* orders.ownerOf(id)
          const update = newsOf(change, yield* DateTime.nowAsDate)
          const order = yield* orders.change(organizationId, id, "backOffice", update)
          const { caseId } = order
          const { userId } = yield* Effect.orDie(cases.whose(caseId))
          yield* audit.read({ organizationId, action: "CASE_READ", caseId, userId, kinds: ["ORDERS", "PROFILE"] })
          const { shippingAddress } = yield* orders.contents(organizationId, id)
          return { ...orderOf(order), caseId, shippingAddress }
        }),

        byPharmacy: Effect.fn("OrderChanges.byPharmacy")(function* (eventId, { data, timestamp: reportedAt }) {
          const { externalId: id, ...told } = data
          const now = yield* DateTime.now
          if (reportedAt > DateTime.toDateUtc(DateTime.addDuration(now, mostAhead))) {
            return yield* RequestInvalid.inPayload("timestamp", "must not be in the future")
          }
          const organizationId = yield* orders.ownerOf(id)
          const store = Effect.gen(function* () {
            if (!(yield* repo.noteEvent(organizationId, eventId, id, DateTime.toDateUtc(now)))) return false
            // Only the back office is told that an order does not move.
            yield* Effect.orDie(
              orders.change(organizationId, id, "pharmacy", { ...newsOf(told, reportedAt), reportedAt })
            )
            return true
          })
          return yield* inTransaction(sql)(store)
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, Orders.layer]))
}
