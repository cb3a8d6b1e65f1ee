import { GatewayApi } from "@care/domain/gateway"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Cells } from "../../cells/index.ts"
import { PhiKeys } from "./PhiKeys.ts"

export const PhiKeysHandlers = HttpApiBuilder.group(
  GatewayApi,
  "phiKeys",
  Effect.fnUntraced(function* (handlers) {
    const cells = yield* Cells
    const keys = yield* PhiKeys
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { cell, ...query } }) {
        return yield* keys.list(yield* cells.named(cell, "query"), query)
      }),
      rotate: Effect.fnUntraced(function* ({ payload }) {
        return yield* keys.rotate(yield* cells.named(payload.cell, "payload"), payload.from)
      })
    })
  })
)
