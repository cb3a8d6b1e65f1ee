import { GatewayApi } from "@care/domain/gateway"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { PhiKeys } from "./PhiKeys.ts"

export const PhiKeysHandlers = HttpApiBuilder.group(
  GatewayApi,
  "phiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* PhiKeys
    return handlers.handleAll({
      list: ({ query }) => keys.list(query),
      rotate: ({ payload }) => keys.rotate(payload.from)
    })
  })
)
