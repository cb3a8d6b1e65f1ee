import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { pageBy } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Events } from "./Events.ts"

export const EventsHandlers = HttpApiBuilder.group(
  CasesApi,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* Events
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { limit, ...range } }) {
        const { organizationId } = yield* Partner
        const rows = yield* events.after(organizationId, { ...range, limit: limit + 1 })
        return pageBy(rows, limit, ({ id }) => id)
      })
    })
  })
)
