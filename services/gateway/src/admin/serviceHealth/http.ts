import { GatewayApi } from "@care/domain/gateway"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ServiceHealths } from "./ServiceHealths.ts"

export const ServiceHealthHandlers = HttpApiBuilder.group(
  GatewayApi,
  "serviceHealth",
  Effect.fnUntraced(function* (handlers) {
    const healths = yield* ServiceHealths
    return handlers.handleAll({ list: () => Effect.map(healths.list, (data) => ({ data })) })
  })
)
