import { SchedulingApi } from "@care/domain/scheduling"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ProviderEvents } from "./ProviderEvents.ts"

export const ProviderEventsHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "providerEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* ProviderEvents
    return handlers.handleAll({ received: ({ payload }) => Effect.as(events.receive(payload), {}) })
  })
)
