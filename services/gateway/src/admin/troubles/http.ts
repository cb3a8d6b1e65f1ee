import { GatewayApi } from "@care/domain/gateway"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Troubles } from "./Troubles.ts"

export const TroublesHandlers = HttpApiBuilder.group(
  GatewayApi,
  "troubles",
  Effect.fnUntraced(function* (handlers) {
    const troubles = yield* Troubles
    return handlers.handleAll({ list: ({ query }) => troubles.list(query) })
  })
)
