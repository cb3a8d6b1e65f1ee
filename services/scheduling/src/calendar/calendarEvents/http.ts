import { SchedulingApi } from "@care/domain/scheduling"
import { newest } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CalendarEvents } from "./CalendarEvents.ts"
import { eventOfCase } from "./EventRow.ts"

export const CalendarEventsHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "calendarEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* CalendarEvents
    return handlers.handleAll({
      ofCase: Effect.fnUntraced(function* ({ params, query }) {
        const before = query.before ?? newest
        const found = yield* events.ofCase(params.organizationId, params.caseId, before, query.limit)
        return found.map(eventOfCase)
      }),
      find: ({ params, payload }) =>
        Effect.map(events.findAll(params.organizationId, payload.ids), (found) => found.map(eventOfCase))
    })
  })
)
