import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { OrganizationId, WebhookEndpointId } from "../Ids.ts"
import { DisabledReason } from "../webhooks/WebhookEndpoint.ts"

/**
 * Internal: the notice that a webhook endpoint was disabled. It has only the host of the URL, because the URL may
 * contain a token. Of several notices with one `key` only the first is sent.
 */
export const EndpointNotice = Schema.Struct({
  key: textUpTo(lengths.reference),
  organizationId: OrganizationId,
  endpointId: WebhookEndpointId,
  host: textUpTo(lengths.url),
  reason: DisabledReason
})
export type EndpointNotice = typeof EndpointNotice.Type
