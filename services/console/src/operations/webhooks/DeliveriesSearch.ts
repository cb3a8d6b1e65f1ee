import { CaseId } from "@care/domain/ids"
import { DeliveryStatus } from "@care/domain/webhooks/WebhookDelivery"
import { WebhookEventType } from "@care/domain/webhooks/WebhookEvent"
import { Schema } from "effect"

/** The filters of deliveries, as the address of the screen has them. Times are in ISO 8601. */
export const DeliveriesSearch = Schema.Struct({
  status: Schema.optional(DeliveryStatus),
  eventType: Schema.optional(WebhookEventType),
  caseId: Schema.optional(CaseId),
  since: Schema.optional(Schema.String),
  until: Schema.optional(Schema.String)
})
export type DeliveriesSearch = typeof DeliveriesSearch.Type
