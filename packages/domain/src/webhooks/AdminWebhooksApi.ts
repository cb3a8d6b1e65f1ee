import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { organizationNotFound } from "../auth/OrganizationsApi.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { OrganizationId, WebhookDeliveryId, WebhookEndpointId } from "../Ids.ts"
import { DeliveriesQuery, QueuedDelivery } from "./DeliveriesApi.ts"
import { WebhookDeliveryNotFound } from "./errors.ts"
import { WebhookDelivery } from "./WebhookDelivery.ts"
import { WebhookEndpoint, WebhookEndpointDisabled, WebhookEndpointNotFound } from "./WebhookEndpoint.ts"
import { WebhookEvent } from "./WebhookEvent.ts"

const deliveries = "/admin/v1/webhook-endpoints/:endpointId/deliveries"
const endpointParams = { endpointId: WebhookEndpointId }
const deliveryParams = { ...endpointParams, deliveryId: WebhookDeliveryId }

const endpointNotFound = problem(
  WebhookEndpointNotFound,
  404,
  "Webhook endpoint not found",
  "No webhook endpoint has this id."
)
const deliveryErrors = [
  ...operatorErrors,
  endpointNotFound,
  problem(
    WebhookDeliveryNotFound,
    404,
    "Webhook delivery not found",
    "The webhook endpoint has no delivery with this id, or no longer."
  )
] as const

/** A delivery with its event; null when that is stored no longer. */
export const WebhookDeliveryWithEvent = Schema.Struct({
  ...WebhookDelivery.fields,
  endpointId: WebhookEndpointId,
  event: Schema.NullOr(WebhookEvent)
}).annotate({ identifier: "WebhookDeliveryWithEvent" })
export type WebhookDeliveryWithEvent = typeof WebhookDeliveryWithEvent.Type

/** Webhook endpoints and deliveries, as operators see them. Partners create, change and remove their endpoints themselves. */
export class AdminWebhooksApi extends HttpApiGroup.make("adminWebhooks")
  .add(
    HttpApiEndpoint.get("endpoints", "/admin/v1/organizations/:organizationId/webhook-endpoints", {
      params: { organizationId: OrganizationId },
      query: PageQuery,
      success: pageOf(WebhookEndpoint),
      error: [...operatorErrors, organizationNotFound]
    })
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List an organization's webhook endpoints")
      .annotate(
        OpenApi.Description,
        "List the webhook endpoints of an organization, oldest first, without their secrets."
      ),
    HttpApiEndpoint.get("deliveries", deliveries, {
      params: endpointParams,
      query: DeliveriesQuery,
      success: pageOf(WebhookDelivery),
      error: [...operatorErrors, endpointNotFound]
    })
      .annotate(OpenApi.Summary, "List an endpoint's webhook deliveries")
      .annotate(
        OpenApi.Description,
        "List the deliveries to an endpoint in the last 30 days, newest first, with their attempts. With eventType a page may have fewer deliveries than limit, or none, before the last page: continue while there is a nextCursor."
      ),
    HttpApiEndpoint.get("delivery", `${deliveries}/:deliveryId`, {
      params: deliveryParams,
      success: WebhookDeliveryWithEvent,
      error: deliveryErrors
    })
      .annotate(OpenApi.Summary, "Read a webhook delivery")
      .annotate(OpenApi.Description, "Read a delivery with its event and its newest attempts."),
    HttpApiEndpoint.post("replay", `${deliveries}/:deliveryId/replay`, {
      params: deliveryParams,
      success: QueuedDelivery,
      error: [
        ...deliveryErrors,
        problem(
          WebhookEndpointDisabled,
          409,
          "The webhook endpoint is disabled",
          "The partner has to enable the webhook endpoint first."
        )
      ]
    })
      .annotate(OpenApi.Summary, "Replay a webhook delivery as an operator")
      .annotate(
        OpenApi.Description,
        "Send an event to its endpoint again, whether or not it was delivered, with its webhook-id and all attempts anew."
      )
  )
  .annotate(OpenApi.Title, "Admin: webhooks")
  .annotate(OpenApi.Description, "The webhook endpoints of organizations, and what was sent to them.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
