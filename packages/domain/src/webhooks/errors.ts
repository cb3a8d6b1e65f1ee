import { Schema } from "effect"

/** The organization has no event with this id, or no longer. */
export class WebhookEventNotFound extends Schema.TaggedError<WebhookEventNotFound>()("WebhookEventNotFound", {}) {}

/** The organization has no delivery with this id, or no longer. */
export class WebhookDeliveryNotFound extends Schema.TaggedError<WebhookDeliveryNotFound>()(
  "WebhookDeliveryNotFound",
  {}
) {}

/** Another replay to the endpoint is not done yet. */
export class WebhookReplayUnderWay extends Schema.TaggedError<WebhookReplayUnderWay>()("WebhookReplayUnderWay", {}) {}
