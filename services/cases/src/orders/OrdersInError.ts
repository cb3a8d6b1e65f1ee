import { Audit } from "@care/audit"
import type { OrderInError, OrdersInErrorQuery } from "@care/domain/cases"
import { oldest, type Page, pageFrom } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { People, personIn } from "../case/index.ts"
import { makeOrdersInErrorRepo } from "./OrdersInErrorRepo.ts"

/** The orders that somebody has to look at. */
export class OrdersInError extends Context.Service<
  OrdersInError,
  {
    /** Returns a page of an organization's orders in error, oldest first. */
    readonly list: (query: OrdersInErrorQuery) => Effect.Effect<Page<OrderInError>>
  }
>()("@care/cases/orders/OrdersInError") {
  static readonly layer = Layer.effect(
    OrdersInError,
    Effect.gen(function* () {
      const audit = yield* Audit
      const people = yield* People
      const repo = yield* makeOrdersInErrorRepo

      return OrdersInError.of({
        list: Effect.fn("OrdersInError.list")(function* ({ cursor = oldest, limit, organizationId }) {
          const { data, nextCursor } = pageFrom(yield* repo.list(organizationId, cursor, limit + 1), limit)
          const patients = yield* people.summaries(
            organizationId,
            data.map(({ userId }) => userId)
          )
          const person = personIn(patients)
          yield* audit.listed("CASE_READ", data, ["ORDERS", "PROFILE"])
          return {
            data: data.map(({ pharmacyName, pharmacyOrderId, userId, ...order }) => ({
              ...order,
              submitter: person(userId),
              pharmacyOrderId: pharmacyOrderId ?? "",
              pharmacyName: pharmacyName ?? ""
            })),
            nextCursor
          }
        })
      })
    })
  )
}
