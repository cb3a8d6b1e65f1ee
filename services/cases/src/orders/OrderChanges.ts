import { Audit } from "@care/audit"
import {
  type AdminOrder,
  type OrderChange,
  OrderNotFound,
  type OrderStatusConflict,
  type PharmacyUpdate,
  type ShippingLog
} from "@care/domain/cases"
import { RequestInvalid } from "@care/domain/http"
import type { OrderId } from "@care/domain/ids"
import { inTransaction, makeModes, Time } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../case/index.ts"
import { Orders } from "./Orders.ts"
import { makeOrdersRepo, orderOf } from "./OrdersRepo.ts"
import type { OrderUpdate } from "./orderAfter.ts"

// An entry of the shipping log without a time gets `now`.
const updateOf = ({ shippingLog, ...facts }: OrderChange, now: Date): OrderUpdate => {
  if (shippingLog === undefined) return facts
  const { location, message, status, statusUpdatedAt } = shippingLog
  const log: ShippingLog = {
    statusUpdatedAt: statusUpdatedAt ?? now,
    location: location ?? null,
    message: message ?? null,
    status: status ?? null
  }
  return { ...facts, shippingLog: log }
}

// How far the pharmacy's clock may be ahead. After an event of the far future, all others would count as old.
const maxClockSkew = "5 minutes"

/** Changes orders for the back office and the pharmacy. */
export class OrderChanges extends Context.Service<
  OrderChanges,
  {
    readonly byBackOffice: (
      id: OrderId,
      change: OrderChange
    ) => Effect.Effect<AdminOrder, OrderNotFound | OrderStatusConflict>
    /**
     * Applies an event of the account of live organizations, or of sandboxes, once, and returns whether it was new. A late event only adds
     * what is not known yet (`orderAfter`).
     */
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
      const modes = yield* makeModes
      const orders = yield* Orders
      const repo = yield* makeOrdersRepo
      const sql = yield* SqlClient.SqlClient

      return OrderChanges.of({
        byBackOffice: Effect.fn("OrderChanges.byBackOffice")(function* (id, change) {
          const organizationId = yield* orders.organizationOf(id)
          const update = updateOf(change, yield* Time.nowAsDate)
          const order = yield* orders.change(organizationId, id, "backOffice", update)
          const { caseId } = order
          const { userId } = yield* Effect.orDie(cases.findAny(caseId))
          yield* audit.read({ organizationId, action: "CASE_READ", caseId, userId, kinds: ["ORDERS", "PROFILE"] })
          const { shippingAddress } = yield* orders.contents(organizationId, id)
          return { ...orderOf(order), caseId, shippingAddress }
        }),

        byPharmacy: Effect.fn("OrderChanges.byPharmacy")(function* (eventId, { data, timestamp: reportedAt }) {
          const { externalId: id, ...facts } = data
          const now = yield* Time.now
          if (reportedAt > DateTime.toDateUtc(DateTime.addDuration(now, maxClockSkew))) {
            return yield* RequestInvalid.inPayload("timestamp", "must not be in the future")
          }
          const organizationId = yield* orders.organizationOf(id)
          if (!(yield* modes.isOfMode(organizationId))) return yield* new OrderNotFound({ orderId: id })
          const store = Effect.gen(function* () {
            if (!(yield* repo.noteEvent(organizationId, eventId, id, DateTime.toDateUtc(now)))) return false
            // Reports are compared by the pharmacy's clock. What a sandbox sees of them has the time of its own.
            const aheadMillis = (yield* Time.TestOrganization)?.aheadMillis ?? 0
            const update = updateOf(facts, new Date(reportedAt.getTime() + aheadMillis))
            // `OrderStatusConflict` is for the back office only.
            yield* Effect.orDie(orders.change(organizationId, id, "pharmacy", { ...update, reportedAt }))
            return true
          })
          return yield* modes.workFor(organizationId, inTransaction(sql)(store))
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, Orders.layer]))
}
