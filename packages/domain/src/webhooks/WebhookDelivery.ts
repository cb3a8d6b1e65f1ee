import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, WebhookDeliveryId, WebhookEventId } from "../Ids.ts"
import { WebhookEventType } from "./WebhookEvent.ts"

/** Waits for its first or next attempt, was answered 2xx, or was given up. */
export const DeliveryStatus = Schema.Literals(["PENDING", "DELIVERED", "FAILED"]).annotate({
  identifier: "DeliveryStatus",
  message: "must be PENDING, DELIVERED or FAILED"
})
export type DeliveryStatus = typeof DeliveryStatus.Type

/**
 * One attempt to deliver an event: the status that was answered, or why there was none, and how the answer began (1 kB of its
 * body). Without an answer `failure` and `durationMillis` are the same, whatever was the matter.
 */
export const DeliveryAttempt = Schema.Struct({
  number: Schema.Int,
  at: Timestamp,
  durationMillis: Schema.Int,
  status: Schema.NullOr(Schema.Int),
  failure: Schema.NullOr(Schema.String),
  answer: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DeliveryAttempt" })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/** How many attempts of a delivery are shown: the newest. */
export const mostAttempts = 20

/** An event on its way to an endpoint. `nextAttemptAt` is null when there is none to come. */
export const WebhookDelivery = Schema.Struct({
  id: WebhookDeliveryId,
  eventId: WebhookEventId,
  eventType: WebhookEventType,
  caseId: Schema.NullOr(CaseId),
  status: DeliveryStatus,
  attempts: Schema.Array(DeliveryAttempt).check(
    Schema.isMaxLength(mostAttempts, { description: `The newest ${mostAttempts}, oldest first.` })
  ),
  createdAt: Timestamp,
  nextAttemptAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type
