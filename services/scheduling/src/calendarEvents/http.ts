import { SchedulingApi } from "@care/domain/scheduling"
import { newest } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"

export const CalendarEventsHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "calendarEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* makeCalendarEventsRepo
    return handlers.handleAll({
      ofCase: ({ params, query }) =>
        events.ofCase(params.organizationId, params.caseId, query.before ?? newest, query.limit)
    })
  })
)
