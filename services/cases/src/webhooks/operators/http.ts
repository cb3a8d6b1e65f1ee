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
      deliveries: ({ params, query }) => webhooks.deliveries(params.endpointId, query),
      delivery: ({ params }) => webhooks.delivery(params.endpointId, params.deliveryId),
      replay: ({ params }) => webhooks.replay(params.endpointId, params.deliveryId)
    })
  })
)
