import { Schema, Struct } from "effect"
import { counts, lengths } from "../http/bounds.ts"
import { atMost, listUpTo } from "../http/listUpTo.ts"
import { textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { WebhookEndpointId } from "../Ids.ts"
import { WebhookEventType } from "./WebhookEvent.ts"

/** Why an endpoint was disabled automatically: it answered 410, or all attempts of five days failed. */
export const DisabledReason = Schema.Literals(["GONE", "FAILING"]).annotate({ identifier: "DisabledReason" })
export type DisabledReason = typeof DisabledReason.Type

/**
 * A webhook endpoint. It gets events of all types when `eventTypes` is null. `failingSince` is the time of the first
 * attempt that failed since the last success.
 */
export const WebhookEndpoint = Schema.Struct({
  id: WebhookEndpointId,
  url: Schema.String,
  eventTypes: Schema.NullOr(Schema.Array(WebhookEventType)),
  enabled: Schema.Boolean,
  includeTestCases: Schema.Boolean,
  disabledReason: Schema.NullOr(DisabledReason),
  failingSince: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "WebhookEndpoint" })
export type WebhookEndpoint = typeof WebhookEndpoint.Type

/** An endpoint with its newest secret, as its creation and a rotation answer it. */
export const WebhookEndpointWithSecret = Schema.Struct({ ...WebhookEndpoint.fields, secret: Schema.String }).annotate({
  identifier: "WebhookEndpointWithSecret"
})
export type WebhookEndpointWithSecret = typeof WebhookEndpointWithSecret.Type

const filterFields = {
  url: textUpTo(lengths.url, { format: "uri" }),
  eventTypes: Schema.NullOr(
    listUpTo(WebhookEventType, {
      ...atMost("eventTypes"),
      emptyMessage: "must name an event type, or be left out for all"
    })
  ),
  enabled: Schema.Boolean,
  includeTestCases: Schema.Boolean
}

/** A new endpoint. By default it gets all events but those of test cases. */
export const NewWebhookEndpoint = Schema.Struct({
  url: filterFields.url,
  eventTypes: Schema.optionalKey(filterFields.eventTypes),
  enabled: Schema.optional(filterFields.enabled),
  includeTestCases: Schema.optional(filterFields.includeTestCases)
}).annotate({ identifier: "NewWebhookEndpoint" })
export type NewWebhookEndpoint = typeof NewWebhookEndpoint.Type

/** A change of an endpoint; `eventTypes` null means all. */
export const WebhookEndpointChange = Schema.Struct({
  ...Struct.omit(NewWebhookEndpoint.fields, ["url"]),
  url: Schema.optional(filterFields.url)
}).annotate({ identifier: "WebhookEndpointChange" })
export type WebhookEndpointChange = typeof WebhookEndpointChange.Type

/** The maximum number of endpoints of an organization. */
export const maxWebhookEndpoints = counts.webhookEndpoints

/** The organization has no endpoint with this id. */
export class WebhookEndpointNotFound extends Schema.TaggedError<WebhookEndpointNotFound>()(
  "WebhookEndpointNotFound",
  {}
) {}

/** The organization has the most endpoints that it may have. */
export class WebhookEndpointsExhausted extends Schema.TaggedError<WebhookEndpointsExhausted>()(
  "WebhookEndpointsExhausted",
  {}
) {}

/** The endpoint is disabled: nothing is sent to it or queued for it. */
export class WebhookEndpointDisabled extends Schema.TaggedError<WebhookEndpointDisabled>()(
  "WebhookEndpointDisabled",
  {}
) {}
