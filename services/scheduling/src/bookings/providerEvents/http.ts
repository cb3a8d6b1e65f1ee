import { SchedulingApi } from "@care/domain/scheduling"
import { OrganizationMoves, repeatWhereMoved } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ProviderEvents } from "./ProviderEvents.ts"

export const ProviderEventsHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "providerEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* ProviderEvents
    const moves = yield* OrganizationMoves
    return handlers.handleAll({
      received: Effect.fnUntraced(function* ({ payload }) {
        const isAwaited = yield* events.receive(payload)
        if (isAwaited) yield* repeatWhereMoved(moves)
        return {}
      })
    })
  })
)
