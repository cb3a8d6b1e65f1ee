import { type Order, type OrderMover, OrderNotFound, OrderStatusConflict } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrderId, OrganizationId } from "@care/domain/ids"
import { inTransaction, organizationScope, Time } from "@care/service-kit"
import { Array as Arr, Context, Effect, Equal, Layer, Option } from "effect"
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

/** Reads and changes orders. */
export class Orders extends Context.Service<
  Orders,
  {
    /** Returns the orders of a case, newest first. */
    readonly newest: (
      organizationId: OrganizationId,
      caseId: CaseId,
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Order>>
    readonly findOfCase: (
      organizationId: OrganizationId,
      caseId: CaseId,
      id: OrderId
    ) => Effect.Effect<Order, OrderNotFound>
    /** Returns those of the orders that are the organization's. */
    readonly findAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Order>>
    /** Returns the organization of an order. The only look-up without one: the operator's paths and the pharmacy name an order alone. */
    readonly organizationOf: (id: OrderId) => Effect.Effect<OrganizationId, OrderNotFound>
    readonly find: (organizationId: OrganizationId, id: OrderId) => Effect.Effect<Option.Option<OrderRow>>
    /** Returns what the pharmacy gets of an order. */
    readonly contents: (organizationId: OrganizationId, id: OrderId) => Effect.Effect<OrderContents>
    /** Stores the body for the pharmacy, unless one is stored, and returns the stored one. */
    readonly keepBody: (order: OrderKey, body: string) => Effect.Effect<string>
    /** Removes that body, if it still is the stored one. The pharmacy did not take it, so the next request may have another. */
    readonly forgetBody: (order: OrderKey, body: string) => Effect.Effect<void>
    /**
     * Applies an update to an order, inside the caller's transaction if there is one, records the change, and returns the order after it.
     * Parallel updates run one after the other. An update that does not move the order fails for the back office, and nothing of it is
     * stored; for others it adds what `orderAfter` allows.
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

        findOfCase: Effect.fn("Orders.findOfCase")(function* (organizationId, caseId, id) {
          const found = Option.filter(yield* repo.find(organizationId, id), (order) => order.caseId === caseId)
          return orderOf(yield* Effect.fromOption(found, () => new OrderNotFound({ orderId: id })))
        }),

        findAll: Effect.fn("Orders.findAll")(function* (organizationId, ids) {
          return (yield* repo.findAll(organizationId, ids)).map(orderOf)
        }),

        organizationOf: Effect.fn("Orders.organizationOf")(function* (id) {
          const found = yield* repo.findOwner(id, yield* organizationScope)
          const owner = yield* Effect.fromOption(found, () => new OrderNotFound({ orderId: id }))
          return owner.organizationId
        }),

        find: Effect.fn("Orders.find")(repo.find),

        contents: Effect.fn("Orders.contents")(repo.contents),

        keepBody: Effect.fn("Orders.keepBody")(function* ({ caseId, orderId, organizationId }, body) {
          const key = yield* cases.keyOf(organizationId, caseId)
          const stored = yield* repo.keepBody(key, { organizationId, orderId, body })
          return stored.body ?? body
        }),

        forgetBody: Effect.fn("Orders.forgetBody")(function* ({ orderId, organizationId }, body) {
          const stored = yield* repo.lockContents(organizationId, orderId)
          if (stored.body === body) yield* repo.removeBody(organizationId, orderId)
        }, inTransaction(sql)),

        // Locks are taken in one order: the order, then its case.
        change: Effect.fn("Orders.change")(function* (organizationId, id, mover, update) {
          const existing = yield* repo.lock(organizationId, id)
          const before = yield* Effect.fromOption(existing, () => new OrderNotFound({ orderId: id }))
          const { isMoved, order } = orderAfter(before, mover, update)
          if (!isMoved && mover === "backOffice") {
            return yield* new OrderStatusConflict({ status: before.status, requested: update.status ?? before.status })
          }
          if (Equal.equals(order, before)) return before
          const key = yield* cases.keyOf(organizationId, order.caseId)
          yield* repo.update(key, order, yield* Time.nowAsDate)
          const details = { orderId: id, status: order.status }
          yield* Effect.orDie(cases.record(organizationId, order.caseId, { type: "ORDER_CHANGED", details }))
          return order
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
