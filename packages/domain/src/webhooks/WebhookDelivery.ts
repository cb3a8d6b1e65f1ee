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

/**
 * Why a pending delivery is not sent now. `deliveryId` and `eventId` are those of the earlier event of the case, `until` is when a wait for
 * a time ends; each is null for the other reasons.
 */
export const DeliveryWait = Schema.Struct({
  reason: Schema.Literals(["EARLIER_EVENT", "ENDPOINT_DISABLED", "ENDPOINT_BUSY", "NEXT_ATTEMPT"]),
  deliveryId: Schema.NullOr(WebhookDeliveryId),
  eventId: Schema.NullOr(WebhookEventId),
  until: Schema.NullOr(Timestamp)
}).annotate({
  identifier: "DeliveryWait",
  description:
    "`EARLIER_EVENT`: an earlier event of the case goes first. `ENDPOINT_DISABLED`: the endpoint, or its organization, is disabled. `ENDPOINT_BUSY`: the endpoint answered 429, 502 or 504, and receives nothing `until` then. `NEXT_ATTEMPT`: the last attempt failed, and the next is made at `until`"
})
export type DeliveryWait = typeof DeliveryWait.Type

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
  nextAttemptAt: Schema.NullOr(Timestamp),
  waitsFor: Schema.NullOr(DeliveryWait).annotate({
    description: "What a pending delivery waits for; null when it is being sent, or about to be, or has ended"
  })
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type
