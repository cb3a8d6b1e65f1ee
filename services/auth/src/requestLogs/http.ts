import { AuthApi } from "@care/domain/auth"
import { Partner } from "@care/domain/http"
import { organizationScope } from "@care/service-kit"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { RequestDays } from "./RequestDays.ts"
import { RequestLogs } from "./RequestLogs.ts"

export const RequestLogsHandlers = Layer.mergeAll(
  HttpApiBuilder.group(
    AuthApi,
    "requestLogs",
    Effect.fnUntraced(function* (handlers) {
      const logs = yield* RequestLogs
      return handlers.handleAll({
        list: ({ query }) => Effect.flatMap(Partner, ({ organizationId }) => logs.list(organizationId, query))
      })
    })
  ),
  HttpApiBuilder.group(
    AuthApi,
    "adminRequestLogs",
    Effect.fnUntraced(function* (handlers) {
      const days = yield* RequestDays
      const logs = yield* RequestLogs
      return handlers.handleAll({
        list: ({ query }) =>
          Effect.flatMap(organizationScope, (scope) => logs.list(scope ?? query.organizationId, query)),
        days: ({ query }) =>
          Effect.flatMap(organizationScope, (scope) =>
            Effect.map(days.list(scope ?? query.organizationId), (data) => ({ data, nextCursor: null }))
          )
      })
    })
  ),
  HttpApiBuilder.group(
    AuthApi,
    "loggedRequests",
    Effect.fnUntraced(function* (handlers) {
      const logs = yield* RequestLogs
      return handlers.handleAll({ store: ({ payload }) => logs.store(payload) })
    })
  )
)
