import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AddsTo, RateLimit, rateLimits } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { constant, created, ok, saying, succeeded } from "../http/ok.ts"
import { PageCursor, PageQuery } from "../http/Page.ts"
import { addsTo } from "../http/quotas.ts"
import { requestExample } from "../http/requestExample.ts"
import { Uuid, WebhookEndpointId } from "../Ids.ts"
import {
  maxWebhookEndpoints,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointsExhausted,
  WebhookEndpointWithSecret
} from "./WebhookEndpoint.ts"
import { endpointDisabled, endpointNotFound, webhookErrors, webhookKeyConflict } from "./webhookErrors.ts"

const path = "/api/v1/webhook-endpoints"
const params = { endpointId: WebhookEndpointId }

export class WebhookEndpointsApi extends HttpApiGroup.make("webhookEndpoints")
  .add(
    HttpApiEndpoint.post("create", path, {
      headers: idempotencyHeader,
      payload: NewWebhookEndpoint,
      success: created(
        succeeded({
          status: constant(201),
          message: saying("Webhook endpoint created"),
          data: WebhookEndpointWithSecret
        })
      ),
      error: [
        ...webhookErrors,
        webhookKeyConflict,
        invalidRequest(
          WebhookEndpointsExhausted,
          400,
          `An organization has at most ${maxWebhookEndpoints} webhook endpoints: delete one first`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Add a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Has the organization told of events at an https URL that leads to a public address: of all, or of `eventTypes`; of test cases with `includeTestCases`. `secret` is what the events are signed with (Standard Webhooks): it is shown here, by a rotation, and nowhere else."
      )
      .annotate(
        OpenApi.Transform,
        requestExample({ url: "https://shop.example.com/care-events", eventTypes: ["case.created", "case.closed"] })
      ),
    HttpApiEndpoint.get("list", path, {
      query: PageQuery,
      success: ok({
        message: saying("Webhook endpoints retrieved"),
        data: Schema.Array(WebhookEndpoint),
        nextCursor: Schema.NullOr(PageCursor)
      }),
      error: webhookErrors
    })
      .annotate(OpenApi.Summary, "List webhook endpoints")
      .annotate(OpenApi.Description, "The organization's webhook endpoints, oldest first, without their secrets."),
    HttpApiEndpoint.get("get", `${path}/:endpointId`, {
      params,
      success: ok({ message: saying("Webhook endpoint retrieved"), data: WebhookEndpoint }),
      error: [...endpointNotFound, ...webhookErrors]
    })
      .annotate(OpenApi.Summary, "Read a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "One webhook endpoint. `disabledReason` says why it was disabled by us: `GONE`, it answered 410, or `FAILING`, no attempt succeeded since `failingSince`, five days before."
      ),
    HttpApiEndpoint.patch("change", `${path}/:endpointId`, {
      params,
      payload: WebhookEndpointChange,
      success: ok({ message: saying("Webhook endpoint changed"), data: WebhookEndpoint }),
      error: [...endpointNotFound, ...webhookErrors]
    })
      .annotate(OpenApi.Summary, "Change a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Changes what is given; `eventTypes` null is all. While `enabled` is false nothing is sent; when it is true again, deliveries go on where they stopped: those that failed when their next attempt is due, or at once when you replay what is missing."
      ),
    HttpApiEndpoint.delete("remove", `${path}/:endpointId`, {
      params,
      success: ok({ message: saying("Webhook endpoint deleted") }),
      error: [...endpointNotFound, ...webhookErrors]
    })
      .annotate(OpenApi.Summary, "Delete a webhook endpoint")
      .annotate(OpenApi.Description, "Deletes a webhook endpoint with its deliveries, those that wait among them."),
    HttpApiEndpoint.post("rotateSecret", `${path}/:endpointId/rotate-secret`, {
      params,
      headers: idempotencyHeader,
      success: ok({ message: saying("Webhook secret rotated"), data: WebhookEndpointWithSecret }),
      error: [...endpointNotFound, ...webhookErrors, webhookKeyConflict]
    })
      .annotate(OpenApi.Summary, "Rotate a webhook secret")
      .annotate(
        OpenApi.Description,
        "Gives the endpoint a new secret. For 24 hours events are signed with the new one and with the one before, in this order. At most two are valid at a time: rotated again within the 24 hours, the older of the two ends at once."
      ),
    HttpApiEndpoint.post("test", `${path}/:endpointId/test`, {
      params,
      headers: idempotencyHeader,
      success: ok({ message: saying("Test event queued"), data: Schema.Struct({ eventId: Uuid }) }),
      error: [...endpointNotFound, ...webhookErrors, webhookKeyConflict, endpointDisabled]
    })
      .annotate(RateLimit, rateLimits.webhookReplays)
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Send a test event")
      .annotate(
        OpenApi.Description,
        "Sends the event `webhook.test` to this endpoint alone, whatever `eventTypes` it has. `eventId` is its id, which is the `webhook-id` of every attempt."
      )
  )
  .annotate(OpenApi.Title, "Webhook endpoints")
  .annotate(OpenApi.Description, "Where the organization is told of events, and the secrets that they are signed with.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
