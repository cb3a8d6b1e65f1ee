import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { OrganizationId, WebhookEndpointId } from "../Ids.ts"
import { DisabledReason } from "../webhooks/WebhookEndpoint.ts"

/**
 * Internal: one of the organization's webhook endpoints was disabled. Of its URL, which may have a token in it, nothing is
 * told but the host. Of all that is told under one `key` the first is sent.
 */
export const EndpointNotice = Schema.Struct({
  key: textUpTo(lengths.reference),
  organizationId: OrganizationId,
  endpointId: WebhookEndpointId,
  host: textUpTo(lengths.url),
  reason: DisabledReason
})
export type EndpointNotice = typeof EndpointNotice.Type
