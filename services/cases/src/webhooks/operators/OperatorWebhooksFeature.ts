import { Layer } from "effect"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { AdminWebhooksHandlers } from "./http.ts"
import { OperatorWebhooks } from "./OperatorWebhooks.ts"

/** Webhook endpoints and deliveries, as operators see them. */
export const OperatorWebhooksFeature = AdminWebhooksHandlers.pipe(
  Layer.provide(OperatorWebhooks.layer),
  Layer.provide(WebhookEndpoints.layer)
)
