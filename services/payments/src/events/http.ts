import { PaymentsApi } from "@care/domain/payments"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { GatewayEvents } from "./GatewayEvents.ts"

const receiving = HttpApiBuilder.group(
  PaymentsApi,
  "gatewayEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* GatewayEvents
    return handlers.handleAll({ received: ({ payload }) => Effect.as(events.receive(payload), {}) })
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
