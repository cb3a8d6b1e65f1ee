import { Partner } from "@care/domain/http"
import { SchedulingApi } from "@care/domain/scheduling"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Availability } from "./Availability.ts"

export const AvailabilityHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "availability",
  Effect.fnUntraced(function* (handlers) {
    const availability = yield* Availability
    return handlers.handleAll({
      slots: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        return { data: yield* availability.slots(organizationId, query) }
      })
    })
  })
)
