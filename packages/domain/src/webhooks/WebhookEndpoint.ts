import { Schema, Struct } from "effect"
import { counts, lengths } from "../http/bounds.ts"
import { atMost, listUpTo } from "../http/listUpTo.ts"
import { textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { WebhookEndpointId } from "../Ids.ts"
import { WebhookEventType } from "./WebhookEvent.ts"

/** Why an endpoint was disabled, other than by its organization: it answered 410, or all attempts of five days failed. */
export const DisabledReason = Schema.Literals(["GONE", "FAILING"]).annotate({ identifier: "DisabledReason" })
export type DisabledReason = typeof DisabledReason.Type

/**
 * Where an organization is told of events: of all types when `eventTypes` is null. `failingSince` is when the first of the
 * attempts was made that have failed since the last one that did not.
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

/** An endpoint with its newest secret, as its creation and a rotation show it. */
export const WebhookEndpointWithSecret = Schema.Struct({ ...WebhookEndpoint.fields, secret: Schema.String }).annotate({
  identifier: "WebhookEndpointWithSecret"
})
export type WebhookEndpointWithSecret = typeof WebhookEndpointWithSecret.Type

const wanted = {
  url: textUpTo(lengths.url, { format: "uri" }),
  eventTypes: Schema.NullOr(
    listUpTo(WebhookEventType, { ...atMost("eventTypes"), least: "must name an event type, or be left out for all" })
  ),
  enabled: Schema.Boolean,
  includeTestCases: Schema.Boolean
}

/** A new endpoint: told of everything but test cases, unless something else is said. */
export const NewWebhookEndpoint = Schema.Struct({
  url: wanted.url,
  eventTypes: Schema.optionalKey(wanted.eventTypes),
  enabled: Schema.optional(wanted.enabled),
  includeTestCases: Schema.optional(wanted.includeTestCases)
}).annotate({ identifier: "NewWebhookEndpoint" })
export type NewWebhookEndpoint = typeof NewWebhookEndpoint.Type

/** What changes of an endpoint; `eventTypes` null is all. */
export const WebhookEndpointChange = Schema.Struct({
  ...Struct.omit(NewWebhookEndpoint.fields, ["url"]),
  url: Schema.optional(wanted.url)
}).annotate({ identifier: "WebhookEndpointChange" })
export type WebhookEndpointChange = typeof WebhookEndpointChange.Type

/** How many endpoints an organization may have. */
export const mostWebhookEndpoints = counts.webhookEndpoints

/** The organization has no endpoint with this id. */
export class WebhookEndpointNotFound extends Schema.TaggedError<WebhookEndpointNotFound>()(
  "WebhookEndpointNotFound",
  {}
) {}

/** The organization has as many endpoints as it may. */
export class WebhookEndpointsExhausted extends Schema.TaggedError<WebhookEndpointsExhausted>()(
  "WebhookEndpointsExhausted",
  {}
) {}

/** Nothing is sent to a disabled endpoint, nor queued for it because somebody asks. */
export class WebhookEndpointDisabled extends Schema.TaggedError<WebhookEndpointDisabled>()(
  "WebhookEndpointDisabled",
  {}
) {}
