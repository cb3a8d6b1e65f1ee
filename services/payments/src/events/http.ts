import { PaymentsApi } from "@care/domain/payments"
import { OrganizationMoves, repeatWhereMoved } from "@care/service-kit"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { GatewayEvents } from "./GatewayEvents.ts"

const receiving = HttpApiBuilder.group(
  PaymentsApi,
  "gatewayEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* GatewayEvents
    const moves = yield* OrganizationMoves
    return handlers.handleAll({
      received: Effect.fnUntraced(function* ({ payload }) {
        const isOfNobody = yield* events.receive(payload)
        if (isOfNobody) yield* repeatWhereMoved(moves)
        return {}
      })
    })
  })
)

const listing = HttpApiBuilder.group(
  PaymentsApi,
  "adminGatewayEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* GatewayEvents
    return handlers.handleAll({ list: ({ query }) => events.list(query) })
  })
)

export const GatewayEventsHandlers = Layer.merge(receiving, listing)
