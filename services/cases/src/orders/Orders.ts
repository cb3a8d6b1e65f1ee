import { type Order, type OrderMover, OrderNotFound, OrderStatusConflict } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrderId, OrganizationId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Array as Arr, Context, DateTime, Effect, Equal, Layer, type Option } from "effect"
import { SqlClient } from "effect/sql"
import { Cases } from "../case/index.ts"
import { makeOrdersRepo, type OrderRow, orderOf } from "./OrdersRepo.ts"
import { type OrderUpdate, orderAfter } from "./orderAfter.ts"
import type { OrderContents } from "./orderContents.ts"

interface OrderKey {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly orderId: OrderId
}

/** Orders: what they are, and how they go on. */
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
    /** Whose an order is. The only look-up that names no organization: the operator's paths and the pharmacy name an order alone. */
    readonly ownerOf: (id: OrderId) => Effect.Effect<OrganizationId, OrderNotFound>
    readonly find: (organizationId: OrganizationId, id: OrderId) => Effect.Effect<Option.Option<OrderRow>>
    /** What the pharmacy is told of an order. */
    readonly contents: (organizationId: OrganizationId, id: OrderId) => Effect.Effect<OrderContents>
    /** Keeps the body with which the pharmacy is asked to take an order, unless one is kept: that which is kept. */
    readonly keepBody: (order: OrderKey, body: string) => Effect.Effect<string>
    /** Forgets that body, if it still is the kept one: the pharmacy does not take the order, and may be asked with another. */
    readonly forgetBody: (order: OrderKey, body: string) => Effect.Effect<void>
    /**
     * Stores news of an order, inside the caller's transaction if there is one: the order as it is then. A change is
     * recorded; of news that come at once each finds what those before left. The back office is told of a move that the
     * order does not make, and nothing of it is stored; others get what `orderAfter` makes of it.
     */
    readonly change: (
      organizationId: OrganizationId,
      id: OrderId,
      mover: OrderMover,
      update: OrderUpdate
    ) => Effect.Effect<OrderRow, OrderNotFound | OrderStatusConflict>
  }
>()("@care/cases/orders/Orders") {
  static readonly layer = Layer.effect(
    Orders,
    Effect.gen(function* () {
      const cases = yield* Cases
      const repo = yield* makeOrdersRepo
      const sql = yield* SqlClient.SqlClient

      return Orders.of({
        newest: (organizationId, caseId, before, limit) =>
          Effect.map(repo.newest(organizationId, caseId, before, limit), Arr.map(orderOf)),

        ownerOf: Effect.fn("Orders.ownerOf")(function* (id) {
          const owner = yield* Effect.fromOption(yield* repo.findOwner(id), () => new OrderNotFound({ orderId: id }))
          return owner.organizationId
        }),

        find: Effect.fn("Orders.find")(repo.find),

        contents: Effect.fn("Orders.contents")(repo.contents),

        keepBody: Effect.fn("Orders.keepBody")(function* ({ caseId, orderId, organizationId }, body) {
          const key = yield* cases.keyOf(organizationId, caseId)
          const kept = yield* repo.keepBody(key, { organizationId, orderId, body })
          return kept.body ?? body
        }),

        forgetBody: Effect.fn("Orders.forgetBody")(function* ({ orderId, organizationId }, body) {
          const kept = yield* repo.lockContents(organizationId, orderId)
          if (kept.body === body) yield* repo.removeBody(organizationId, orderId)
        }, inTransaction(sql)),

        // Locks are taken in one order: the order, then its case.
        change: Effect.fn("Orders.change")(function* (organizationId, id, mover, update) {
          const found = yield* repo.lock(organizationId, id)
          const before = yield* Effect.fromOption(found, () => new OrderNotFound({ orderId: id }))
          const { isMoved, order } = orderAfter(before, mover, update)
          if (!isMoved && mover === "backOffice") {
            return yield* new OrderStatusConflict({ status: before.status, asked: update.status ?? before.status })
          }
          if (Equal.equals(order, before)) return before
          const key = yield* cases.keyOf(organizationId, order.caseId)
          yield* repo.update(key, order, yield* DateTime.nowAsDate)
          const details = { orderId: id, status: order.status }
          yield* Effect.orDie(cases.record(organizationId, order.caseId, { type: "ORDER_CHANGED", details }))
          return order
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
