import { AuthApi } from "@care/domain/auth"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ApiKeys } from "./ApiKeys.ts"

export const ApiKeysHandlers = HttpApiBuilder.group(
  AuthApi,
  "apiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys
    return handlers.handleAll({
      issue: ({ params, payload }) => keys.issue(params.organizationId, payload),
      list: ({ params, query }) => keys.list(params.organizationId, query),
      change: ({ params, payload }) => keys.change(params.apiKeyId, payload),
      rotate: ({ params, payload }) => keys.rotate(params.apiKeyId, payload),
      revoke: ({ params }) => keys.revoke(params.apiKeyId)
    })
  })
)
