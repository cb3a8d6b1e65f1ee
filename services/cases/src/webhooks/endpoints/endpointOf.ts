import type { WebhookEndpoint, WebhookEndpointWithSecret } from "@care/domain/webhooks"
import { Time } from "@care/service-kit"
import { Effect } from "effect"
import type { WebhookEndpointRow } from "./WebhookEndpointsRepo.ts"

/** Returns an endpoint as its organization sees it, without its secret. */
export const endpointOf = (row: WebhookEndpointRow): Effect.Effect<WebhookEndpoint> =>
  Effect.map(Time.shownTime, (shown) => ({
    id: row.id,
    url: row.url,
    eventTypes: row.eventTypes,
    enabled: row.isEnabled,
    includeTestCases: row.includesTestCases,
    disabledReason: row.disabledReason,
    failingSince: shown(row.failingSince),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt
  }))

/** Returns the same with its newest secret, for the response to the request that made it. */
export const endpointWithSecretOf = (row: WebhookEndpointRow): Effect.Effect<WebhookEndpointWithSecret> =>
  Effect.map(endpointOf(row), (endpoint) => ({ ...endpoint, secret: row.secret }))
