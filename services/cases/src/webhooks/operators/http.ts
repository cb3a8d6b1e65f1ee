import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { OperatorWebhooks } from "./OperatorWebhooks.ts"

export const AdminWebhooksHandlers = HttpApiBuilder.group(
  CasesApi,
  "adminWebhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* OperatorWebhooks
    return handlers.handleAll({
      endpoints: ({ params, query }) => webhooks.endpoints(params.organizationId, query),
      create: ({ params, payload }) => webhooks.create(params.organizationId, payload),
      change: ({ params, payload }) => webhooks.change(params.endpointId, payload),
      remove: ({ params }) => webhooks.remove(params.endpointId),
      rotateSecret: ({ params }) => webhooks.rotateSecret(params.endpointId),
      test: ({ params }) => webhooks.test(params.endpointId),
      replayMissing: ({ params, payload }) => webhooks.replayMissing(params.endpointId, payload.since),
      deliveries: ({ params, query }) => webhooks.deliveries(params.endpointId, query),
      delivery: ({ params }) => webhooks.delivery(params.endpointId, params.deliveryId),
      replay: ({ params }) => webhooks.replay(params.endpointId, params.deliveryId)
    })
  })
)
