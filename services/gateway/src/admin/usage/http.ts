import { GatewayApi } from "@care/domain/gateway"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Usages } from "./Usages.ts"

export const UsageHandlers = HttpApiBuilder.group(
  GatewayApi,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const usages = yield* Usages
    return handlers.handleAll({
      list: ({ params }) => Effect.map(usages.find(params.organizationId), (data) => ({ data, nextCursor: null }))
    })
  })
)
