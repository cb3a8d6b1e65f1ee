import { GatewayApi } from "@care/domain/gateway"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Cells } from "../../cells/index.ts"
import { Reconciliations } from "./Reconciliations.ts"

export const ReconciliationsHandlers = HttpApiBuilder.group(
  GatewayApi,
  "reconciliations",
  Effect.fnUntraced(function* (handlers) {
    const reconciliations = yield* Reconciliations
    const cells = yield* Cells
    return handlers.handleAll({
      sweep: Effect.fnUntraced(function* ({ payload }) {
        return yield* reconciliations.sweep(yield* cells.named(payload.cell, "payload"), payload.service)
      })
    })
  })
)
