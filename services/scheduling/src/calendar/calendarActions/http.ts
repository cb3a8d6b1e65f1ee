import { Partner } from "@care/domain/http"
import { SchedulingApi } from "@care/domain/scheduling"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CalendarActions } from "./CalendarActions.ts"

export const CalendarActionsHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "calendarActions",
  Effect.fnUntraced(function* (handlers) {
    const actions = yield* CalendarActions
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { organizationId } = yield* Partner
        yield* actions.create(organizationId, params.caseId, payload.calendar, headers["idempotency-key"])
        return { data: {} }
      }),
      cancel: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { organizationId } = yield* Partner
        yield* actions.cancel(organizationId, params.caseId, payload.calendar.id, headers["idempotency-key"])
        return { data: {} }
      })
    })
  })
)
