import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { organizationNotFound } from "../auth/OrganizationsApi.ts"
import { AddsTo, RateLimit, rateLimits } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem, quotaProblem } from "../http/Problem.ts"
import { addsTo } from "../http/quotas.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { OrganizationId, WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from "../Ids.ts"
import { DeliveriesQuery, QueuedDelivery, ReplayMissing } from "./DeliveriesApi.ts"
import { WebhookDeliveryNotFound, WebhookReplayUnderWay } from "./errors.ts"
import { WebhookDelivery } from "./WebhookDelivery.ts"
import {
  maxWebhookEndpoints,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointDisabled,
  WebhookEndpointNotFound,
  WebhookEndpointsExhausted,
  WebhookEndpointWithSecret
} from "./WebhookEndpoint.ts"
import { WebhookEvent } from "./WebhookEvent.ts"

const endpointsOfOrganization = "/admin/v1/organizations/:organizationId/webhook-endpoints"
const endpoint = "/admin/v1/webhook-endpoints/:endpointId"
const deliveries = `${endpoint}/deliveries` as const
const endpointParams = { endpointId: WebhookEndpointId }
const deliveryParams = { ...endpointParams, deliveryId: WebhookDeliveryId }

const endpointNotFound = problem(
  WebhookEndpointNotFound,
  404,
  "Webhook endpoint not found",
  "No webhook endpoint has this id."
)
const endpointDisabled = problem(
  WebhookEndpointDisabled,
  409,
  "The webhook endpoint is disabled",
  "Enable the webhook endpoint first."
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

/** Webhook endpoints and deliveries, for operators and the staff of organizations. Partners do the same with their keys. */
export class AdminWebhooksApi extends HttpApiGroup.make("adminWebhooks")
  .add(
    HttpApiEndpoint.get("endpoints", endpointsOfOrganization, {
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
    HttpApiEndpoint.post("create", endpointsOfOrganization, {
      params: { organizationId: OrganizationId },
      payload: NewWebhookEndpoint,
      success: created(WebhookEndpointWithSecret),
      error: [
        ...operatorErrors,
        organizationNotFound,
        problem(
          WebhookEndpointsExhausted,
          409,
          "Too many webhook endpoints",
          `An organization has at most ${maxWebhookEndpoints} webhook endpoints: delete one first.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Add a webhook endpoint to an organization")
      .annotate(
        OpenApi.Description,
        "Add a URL that receives the organization's events. The secret is shown only here and by a rotation."
      ),
    HttpApiEndpoint.patch("change", endpoint, {
      params: endpointParams,
      payload: WebhookEndpointChange,
      success: WebhookEndpoint,
      error: [...operatorErrors, endpointNotFound]
    })
      .annotate(OpenApi.Summary, "Change a webhook endpoint of an organization")
      .annotate(OpenApi.Description, "Change the given fields of an endpoint. `eventTypes: null` selects all events."),
    HttpApiEndpoint.delete("remove", endpoint, {
      params: endpointParams,
      success: HttpApiSchema.NoContent.annotate({ description: "Done" }),
      error: [...operatorErrors, endpointNotFound]
    })
      .annotate(OpenApi.Summary, "Delete a webhook endpoint of an organization")
      .annotate(
        OpenApi.Description,
        "Delete an endpoint with all its deliveries, including those that were not sent yet."
      ),
    HttpApiEndpoint.post("rotateSecret", `${endpoint}/rotate-secret`, {
      params: endpointParams,
      success: WebhookEndpointWithSecret,
      error: [...operatorErrors, endpointNotFound]
    })
      .annotate(OpenApi.Summary, "Rotate the secret of a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Give an endpoint a new secret. For 24 hours events are signed with the new and the previous one."
      ),
    HttpApiEndpoint.post("test", `${endpoint}/test`, {
      params: endpointParams,
      success: Schema.Struct({ eventId: WebhookEventId }).annotate({ identifier: "SentTestEvent" }),
      error: [...operatorErrors, quotaProblem, endpointNotFound, endpointDisabled]
    })
      .annotate(RateLimit, rateLimits.webhookReplays)
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Send a test event to a webhook endpoint")
      .annotate(OpenApi.Description, "Send a signed `ping` event to an endpoint, which has to be enabled."),
    HttpApiEndpoint.post("replayMissing", `${endpoint}/replay-missing`, {
      params: endpointParams,
      payload: ReplayMissing,
      success: HttpApiSchema.NoContent.annotate({ description: "Queued" }),
      error: [
        ...operatorErrors,
        quotaProblem,
        endpointNotFound,
        endpointDisabled,
        problem(
          WebhookReplayUnderWay,
          409,
          "Replay under way",
          "A replay to this webhook endpoint is under way: wait until it is done."
        )
      ]
    })
      .annotate(RateLimit, rateLimits.webhookReplays)
      .annotate(AddsTo, addsTo.deliveries)
      .annotate(OpenApi.Summary, "Replay the missing deliveries of a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Send every event since `since` that fits the endpoint's settings and was not delivered to it. The replay starts after the response, with the oldest event."
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
      error: [...deliveryErrors, endpointDisabled]
    })
      .annotate(RateLimit, rateLimits.webhookReplays)
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
