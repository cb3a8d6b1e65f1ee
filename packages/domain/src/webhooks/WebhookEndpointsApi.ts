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
        "Registers an https URL that receives the organization's events. It has to resolve to a public address. The endpoint receives all events, or only those of `eventTypes`; events of test cases only with `includeTestCases`. `secret` signs the events (Standard Webhooks). It is returned only here and by a rotation."
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
      .annotate(
        OpenApi.Description,
        "Lists the organization's webhook endpoints, oldest first, without their secrets."
      ),
    HttpApiEndpoint.get("get", `${path}/:endpointId`, {
      params,
      success: ok({ message: saying("Webhook endpoint retrieved"), data: WebhookEndpoint }),
      error: [...endpointNotFound, ...webhookErrors]
    })
      .annotate(OpenApi.Summary, "Read a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Returns a webhook endpoint. `disabledReason` says why it was disabled automatically: `GONE` after a 410 response, `FAILING` after five days without a successful attempt, since `failingSince`."
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
        "Changes the given fields. `eventTypes: null` selects all events. While `enabled` is false, nothing is sent. When it is true again, the waiting deliveries continue: failed ones with their next attempt, or at once if you replay missing deliveries."
      ),
    HttpApiEndpoint.delete("remove", `${path}/:endpointId`, {
      params,
      success: ok({ message: saying("Webhook endpoint deleted") }),
      error: [...endpointNotFound, ...webhookErrors]
    })
      .annotate(OpenApi.Summary, "Delete a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Deletes a webhook endpoint with all its deliveries, including those not sent yet."
      ),
    HttpApiEndpoint.post("rotateSecret", `${path}/:endpointId/rotate-secret`, {
      params,
      headers: idempotencyHeader,
      success: ok({ message: saying("Webhook secret rotated"), data: WebhookEndpointWithSecret }),
      error: [...endpointNotFound, ...webhookErrors, webhookKeyConflict]
    })
      .annotate(OpenApi.Summary, "Rotate a webhook secret")
      .annotate(
        OpenApi.Description,
        "Creates a new secret for the endpoint. For 24 hours events are signed with the new and the previous secret, in this order. At most two secrets are valid at a time: a second rotation within the 24 hours ends the older one at once."
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
        "Pings the endpoint: sends the signed event `ping` to it alone, regardless of its `eventTypes`. `eventId` is the `webhook-id` of every attempt; list the deliveries with it as `eventId` to see what the endpoint answered."
      )
  )
  .annotate(OpenApi.Title, "Webhook endpoints")
  .annotate(OpenApi.Description, "The URLs that receive the organization's events, and the secrets that sign them.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
