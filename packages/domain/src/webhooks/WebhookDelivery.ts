import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, WebhookDeliveryId, WebhookEventId } from "../Ids.ts"
import { WebhookEventType } from "./WebhookEvent.ts"

/** A delivery is pending until it was answered with 2xx, or given up. */
export const DeliveryStatus = Schema.Literals(["PENDING", "DELIVERED", "FAILED"]).annotate({
  identifier: "DeliveryStatus",
  message: "must be PENDING, DELIVERED or FAILED"
})

/**
 * An attempt of a delivery: the status, or the reason why there is none, and the first kB of the answer's body. Without
 * an answer `failure` and `durationMillis` are the same for every cause.
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

/** The maximum number of attempts that a delivery shows: the newest. */
export const maxShownAttempts = 20

/** The delivery of an event to an endpoint. `nextAttemptAt` is null when no attempt will follow. */
export const WebhookDelivery = Schema.Struct({
  id: WebhookDeliveryId,
  eventId: WebhookEventId,
  eventType: WebhookEventType,
  caseId: Schema.NullOr(CaseId),
  status: DeliveryStatus,
  attempts: Schema.Array(DeliveryAttempt).check(
    Schema.isMaxLength(maxShownAttempts, { description: `The newest ${maxShownAttempts}, oldest first.` })
  ),
  createdAt: Timestamp,
  nextAttemptAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type
