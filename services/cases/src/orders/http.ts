import { CasesApi, PharmacyEvent } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { OrganizationMoves, repeatWhereMoved } from "@care/service-kit"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { NewOrders } from "./NewOrders.ts"
import { OrderChanges } from "./OrderChanges.ts"
import { OrdersInError } from "./OrdersInError.ts"

const placing = HttpApiBuilder.group(
  CasesApi,
  "orders",
  Effect.fnUntraced(function* (handlers) {
    const orders = yield* NewOrders
    return handlers.handleAll({
      placeOrder: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { organizationId } = yield* Partner
        const id = yield* orders.place(organizationId, params.caseId, payload, headers["idempotency-key"])
        return { data: { order: { id } } }
      })
    })
  })
)

const backOffice = HttpApiBuilder.group(
  CasesApi,
  "adminOrders",
  Effect.fnUntraced(function* (handlers) {
    const changes = yield* OrderChanges
    const inError = yield* OrdersInError
    return handlers.handleAll({
      change: ({ params, payload }) => changes.byBackOffice(params.orderId, payload),
      inError: ({ query }) => inError.list(query)
    })
  })
)

const pharmacy = HttpApiBuilder.group(
  CasesApi,
  "pharmacy",
  Effect.fnUntraced(function* (handlers) {
    const changes = yield* OrderChanges
    const moves = yield* OrganizationMoves
    return handlers.handleAll({
      orderUpdated: Effect.fnUntraced(function* ({ payload }) {
        yield* changes
          .byPharmacy((yield* PharmacyEvent).id, payload)
          .pipe(Effect.tapErrorTag("OrderNotFound", () => repeatWhereMoved(moves)))
        return {}
      })
    })
  })
)

export const OrdersHandlers = Layer.mergeAll(placing, backOffice, pharmacy)
