import { AuthApi } from "@care/domain/auth"
import { Partner } from "@care/domain/http"
import { organizationScope } from "@care/service-kit"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
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
      const logs = yield* RequestLogs
      return handlers.handleAll({
        list: ({ query }) =>
          Effect.flatMap(organizationScope, (scope) => logs.list(scope ?? query.organizationId, query))
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
