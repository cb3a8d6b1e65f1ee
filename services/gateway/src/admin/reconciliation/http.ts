import { GatewayApi } from "@care/domain/gateway"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Reconciliations } from "./Reconciliations.ts"

export const ReconciliationsHandlers = HttpApiBuilder.group(
  GatewayApi,
  "reconciliations",
  Effect.fnUntraced(function* (handlers) {
    const reconciliations = yield* Reconciliations
    return handlers.handleAll({ sweep: ({ payload }) => reconciliations.sweep(payload.service) })
  })
)
