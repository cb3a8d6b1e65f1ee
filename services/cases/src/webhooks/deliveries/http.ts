import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Deliveries } from "./Deliveries.ts"
import { Replays } from "./Replays.ts"

const requester = Effect.fnUntraced(function* (headers: { readonly "idempotency-key"?: string }) {
  const { organizationId } = yield* Partner
  return { organizationId, key: headers["idempotency-key"] }
})

export const DeliveriesHandlers = HttpApiBuilder.group(
  CasesApi,
  "webhookDeliveries",
  Effect.fnUntraced(function* (handlers) {
    const deliveries = yield* Deliveries
    const replays = yield* Replays
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params, query }) {
        return yield* deliveries.list((yield* Partner).organizationId, params.endpointId, query)
      }),
      replay: Effect.fnUntraced(function* ({ headers, params }) {
        return { data: yield* replays.delivery(yield* requester(headers), params.deliveryId) }
      }),
      replayRange: Effect.fnUntraced(function* ({ headers, params, payload }) {
        yield* replays.all(yield* requester(headers), params.endpointId, payload)
        return {}
      }),
      replayMissing: Effect.fnUntraced(function* ({ headers, params, payload }) {
        yield* replays.missing(yield* requester(headers), params.endpointId, payload.since)
        return {}
      }),
      resend: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return { data: yield* replays.event(yield* requester(headers), params.eventId, payload.endpointId) }
      })
    })
  })
)
