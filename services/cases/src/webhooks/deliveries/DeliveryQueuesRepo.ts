import type { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { execute } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** SQL of the queues of endpoints but for taking them. */
export const makeDeliveryQueuesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    pause: (organizationId: OrganizationId, endpointId: WebhookEndpointId) =>
      execute(sql`
        INSERT INTO delivery_queues (organization_id, endpoint_id, standing, is_paused)
        VALUES (${organizationId}, ${endpointId}, 'FRESH', true)
        ON CONFLICT (organization_id, endpoint_id) DO UPDATE SET is_paused = true
      `),

    /** What the endpoint asked for by answering 429 and the like is forgotten, and how it did before. */
    resume: (organizationId: OrganizationId, endpointId: WebhookEndpointId, now: Date) =>
      execute(sql`
        UPDATE delivery_queues
        SET is_paused = false, standing = 'FRESH', slowed_until = NULL, due_at = least(due_at, ${now}::timestamptz)
        WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
      `),

    removeQueue: (organizationId: OrganizationId, endpointId: WebhookEndpointId) =>
      execute(sql`
        DELETE FROM delivery_queues WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
      `)
  }
})
