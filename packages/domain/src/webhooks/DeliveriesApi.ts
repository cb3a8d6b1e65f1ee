import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AddsTo, RateLimit, rateLimits } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { ok, saying } from "../http/ok.ts"
import { PageCursor, PageQuery } from "../http/Page.ts"
import { addsTo } from "../http/quotas.ts"
import { PathInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { shownIds } from "../http/shownIds.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from "../Ids.ts"
import { WebhookDeliveryNotFound, WebhookEventNotFound, WebhookReplayUnderWay } from "./errors.ts"
import { DeliveryStatus, WebhookDelivery } from "./WebhookDelivery.ts"
import { WebhookEndpointNotFound } from "./WebhookEndpoint.ts"
import { WebhookEventType } from "./WebhookEvent.ts"
import { endpointDisabled, endpointNotFound, webhookErrors, webhookKeyConflict } from "./webhookErrors.ts"

/** The filters of deliveries. All of them apply. */
export const DeliveriesQuery = {
  ...PageQuery,
  status: Schema.optionalKey(DeliveryStatus),
  eventType: Schema.optionalKey(WebhookEventType),
  caseId: Schema.optionalKey(CaseId),
  eventId: Schema.optionalKey(WebhookEventId),
  since: Schema.optionalKey(Timestamp),
  until: Schema.optionalKey(Timestamp)
}
export type DeliveriesQuery = Schema.Struct.Type<typeof DeliveriesQuery>

/** A delivery that was queued for another attempt, or the first one. */
export const QueuedDelivery = Schema.Struct({
  id: WebhookDeliveryId,
  eventId: WebhookEventId,
  endpointId: WebhookEndpointId
}).annotate({ identifier: "QueuedDelivery" })
export type QueuedDelivery = typeof QueuedDelivery.Type

/** The time since which missing events are sent. */
export const ReplayMissing = Schema.Struct({ since: Timestamp }).annotate({ identifier: "ReplayMissing" })

const ofEndpoint = "/api/v1/webhook-endpoints/:endpointId"
const params = { endpointId: WebhookEndpointId }
const noDelivery = "There is no such webhook delivery"
const rangeErrors = [
  ...endpointNotFound,
  endpointDisabled,
  ...webhookErrors,
  webhookKeyConflict,
  invalidRequest(WebhookReplayUnderWay, 409, "A replay to this webhook endpoint is under way: wait until it is done")
] as const
const noEvent = "There is no such event"

/** Partner API: the deliveries of events to endpoints, and resending them. */
export class DeliveriesApi extends HttpApiGroup.make("webhookDeliveries")
  .add(
    HttpApiEndpoint.get("list", `${ofEndpoint}/deliveries`, {
      params,
      query: DeliveriesQuery,
      success: ok({
        message: saying("Webhook deliveries retrieved"),
        data: Schema.Array(WebhookDelivery),
        nextCursor: Schema.NullOr(PageCursor)
      }),
      error: [...endpointNotFound, ...webhookErrors]
    })
      .annotate(OpenApi.Summary, "List webhook deliveries")
      .annotate(
        OpenApi.Description,
        "Lists the deliveries to an endpoint in the last 30 days, newest first, with their attempts and what each waits for (`waitsFor`). `since` and `until` filter by `createdAt`, the time at which the event was added to the list of events. With `eventType` a page may have fewer deliveries than `limit`, or none, before the last page: continue while there is a `nextCursor`."
      ),
    HttpApiEndpoint.post("replay", "/api/v1/webhook-deliveries/:deliveryId/replay", {
      params: { deliveryId: WebhookDeliveryId },
      headers: idempotencyHeader,
      success: ok({ message: saying("Webhook delivery queued"), data: QueuedDelivery }),
      error: [
        invalidRequest(PathInvalid, 404, noDelivery),
        invalidRequest(WebhookDeliveryNotFound, 404, noDelivery),
        endpointDisabled,
        ...webhookErrors,
        webhookKeyConflict
      ]
    })
      .annotate(RateLimit, rateLimits.webhookReplays)
      .annotate(OpenApi.Summary, "Replay a webhook delivery")
      .annotate(
        OpenApi.Description,
        "Sends the event to the endpoint again, with the same `webhook-id` and up to ten more attempts. The endpoint has to be enabled."
      ),
    HttpApiEndpoint.post("replayRange", `${ofEndpoint}/replay`, {
      params,
      headers: idempotencyHeader,
      payload: Schema.Struct({ since: Timestamp, until: Schema.optional(Timestamp) }).annotate({
        identifier: "ReplayRange"
      }),
      success: ok({ message: saying("Replay queued") }),
      error: rangeErrors
    })
      .annotate(RateLimit, rateLimits.webhookReplays)
      .annotate(OpenApi.Summary, "Replay webhook deliveries")
      .annotate(
        OpenApi.Description,
        "Sends again every event from `since` to `until` (both included; by default until now) that was sent to the endpoint before. The replay starts after the response, with the oldest event. The endpoint has to be enabled, and can have one replay at a time, of this kind or of missing deliveries."
      )
      .annotate(
        OpenApi.Transform,
        requestExample({ since: "2026-08-01T00:00:00.000Z", until: "2026-08-02T00:00:00.000Z" })
      ),
    HttpApiEndpoint.post("replayMissing", `${ofEndpoint}/replay-missing`, {
      params,
      headers: idempotencyHeader,
      payload: ReplayMissing,
      success: ok({ message: saying("Replay queued") }),
      error: rangeErrors
    })
      .annotate(RateLimit, rateLimits.webhookReplays)
      .annotate(AddsTo, addsTo.deliveries)
      .annotate(OpenApi.Summary, "Replay missing webhook deliveries")
      .annotate(
        OpenApi.Description,
        "Sends every event since `since` (included) that matches the endpoint's current settings and was not delivered to it, including events from before the endpoint existed. The replay starts after the response, with the oldest event. The endpoint has to be enabled, and can have one replay at a time, of this kind or of a range."
      )
      .annotate(OpenApi.Transform, requestExample({ since: "2026-08-01T00:00:00.000Z" })),
    HttpApiEndpoint.post("resend", "/api/v1/events/:eventId/resend", {
      params: { eventId: WebhookEventId },
      headers: idempotencyHeader,
      payload: Schema.Struct({ endpointId: Schema.optional(WebhookEndpointId) }).annotate({
        identifier: "ResendEvent"
      }),
      success: ok({ message: saying("Event queued"), data: Schema.Array(QueuedDelivery) }),
      error: [
        invalidRequest(PathInvalid, 404, noEvent),
        invalidRequest(WebhookEventNotFound, 404, noEvent),
        invalidRequest(WebhookEndpointNotFound, 404, "There is no such webhook endpoint"),
        endpointDisabled,
        ...webhookErrors,
        webhookKeyConflict
      ]
    })
      .annotate(RateLimit, rateLimits.webhookReplays)
      .annotate(AddsTo, addsTo.deliveries)
      .annotate(OpenApi.Summary, "Send an event again")
      .annotate(
        OpenApi.Description,
        "Sends an event to all enabled endpoints whose settings match it, even if it was delivered before. With `endpointId` it is sent to that endpoint only, which has to be enabled but need not match. An event without a case is sent to the endpoints that it was created for."
      )
      .annotate(OpenApi.Transform, requestExample({ endpointId: shownIds.webhookEndpoint }))
  )
  .annotate(OpenApi.Title, "Webhook deliveries")
  .annotate(OpenApi.Description, "The status of the deliveries of events to endpoints, and their repetition.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
