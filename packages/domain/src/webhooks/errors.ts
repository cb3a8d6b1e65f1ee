import { Schema } from "effect"

/** The organization has no event with this id, or has it no more. */
export class WebhookEventNotFound extends Schema.TaggedError<WebhookEventNotFound>()("WebhookEventNotFound", {}) {}

/** The organization has no delivery with this id, or has it no more. */
export class WebhookDeliveryNotFound extends Schema.TaggedError<WebhookDeliveryNotFound>()(
  "WebhookDeliveryNotFound",
  {}
) {}

/** A replay of a range, or of what is missing, to the endpoint is not done yet. */
export class WebhookReplayUnderWay extends Schema.TaggedError<WebhookReplayUnderWay>()("WebhookReplayUnderWay", {}) {}
