import type { WebhookEndpoint, WebhookEndpointWithSecret } from "@care/domain/webhooks"
import type { WebhookEndpointRow } from "./WebhookEndpointsRepo.ts"

/** Returns an endpoint as its organization sees it, without its secret. */
export const endpointOf = (row: WebhookEndpointRow): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  eventTypes: row.eventTypes,
  enabled: row.isEnabled,
  includeTestCases: row.includesTestCases,
  disabledReason: row.disabledReason,
  failingSince: row.failingSince,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})

/** Returns the same with its newest secret, for the response to the request that made it. */
export const endpointWithSecretOf = (row: WebhookEndpointRow): WebhookEndpointWithSecret => ({
  ...endpointOf(row),
  secret: row.secret
})
