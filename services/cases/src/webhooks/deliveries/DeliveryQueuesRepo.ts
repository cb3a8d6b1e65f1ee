import { randomUUID } from "node:crypto"
import { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { affects, execute, oldest, rowsOf } from "@care/service-kit"
import { Health } from "@care/webhooks"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isSuspended } from "./isSuspended.ts"

/** The queue of an endpoint that this process has claimed. */
const ClaimedQueue = Schema.Struct({
  organizationId: OrganizationId,
  endpointId: WebhookEndpointId,
  claimId: Schema.String,
  health: Health
})
export type ClaimedQueue = typeof ClaimedQueue.Type

const claimedQueues = rowsOf(ClaimedQueue)
const claims = rowsOf(Schema.Struct({ claimId: Schema.String }))

/** How many queues of each health to claim, and which organizations to leave out. */
interface QueueSelection {
  readonly counts: Partial<Readonly<Record<Health, number>>>
  readonly except: ReadonlyArray<OrganizationId>
}

/**
 * SQL of the queues of endpoints. The `due_at` of a claimed queue is the end of the claim, so that it is due again when its process
 * died. An addition sets it to an earlier time, which the release keeps. No statement is prepared, because a cached plan
 * fits the table as it was.
 */
export const makeDeliveryQueuesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isClaimed = ({ claimId, endpointId, organizationId }: ClaimedQueue) => sql`
    organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND claim_id = ${claimId}
  `
  // Nothing is sent for an organization that moves to another cell.
  const isHere = sql.literal("organization_id NOT IN (SELECT organization_id FROM standing_organizations)")

  return {
    /**
     * Claims due queues: the longest due first, or, with `since`, those that became due since then, the latest first. It locks them
     * along the index, and skips those that another process claims at the moment. The id of a claim has a half of a new id and a half of
     * its endpoint's. The lists of ids make the planner use the primary key; without them it may read the whole table.
     */
    claim: ({ counts, except }: QueueSelection, now: Date, until: Date, since?: Date) =>
      claimedQueues.all(
        sql`
          WITH due AS MATERIALIZED (
            SELECT queue.*
            FROM jsonb_each_text(${JSON.stringify(counts)}::jsonb) AS selection (health, most)
            CROSS JOIN LATERAL (
              SELECT organization_id, endpoint_id FROM delivery_queues
              WHERE health = selection.health AND NOT is_paused AND due_at BETWEEN ${since ?? oldest.createdAt} AND ${now}
                AND (claimed_until IS NULL OR claimed_until <= ${now})
                AND organization_id <> ALL(${except}::uuid[]) AND ${isHere}
              ORDER BY due_at ${sql.literal(since === undefined ? "ASC" : "DESC")} LIMIT selection.most::integer
              FOR UPDATE SKIP LOCKED
            ) AS queue
          )
          UPDATE delivery_queues SET
            claim_id = (left(${randomUUID()}, 18) || right(endpoint_id::text, 18))::uuid,
            claimed_until = ${until}::timestamptz, due_at = ${until}::timestamptz
          WHERE organization_id = ANY(ARRAY(SELECT organization_id FROM due))
            AND endpoint_id = ANY(ARRAY(SELECT endpoint_id FROM due))
            AND (organization_id, endpoint_id) IN (SELECT organization_id, endpoint_id FROM due)
          RETURNING organization_id, endpoint_id, claim_id, health
        `.unprepared
      ),

    /** Returns the claims, of all processes, to whose queues something was added since they were taken or renewed. Reads their index. */
    addedTo: claims.all(sql`SELECT claim_id FROM delivery_queues WHERE due_at < claimed_until`.unprepared),

    /** Renews a claim. Returns false when it is lost, or the organization moves. A read after this finds all that was added before. */
    keep: (queue: ClaimedQueue, until: Date) =>
      affects(sql`
        UPDATE delivery_queues SET claimed_until = ${until}::timestamptz, due_at = ${until}::timestamptz
        WHERE ${isClaimed(queue)} AND ${isHere}
        RETURNING claim_id
      `),

    /** Releases a queue, which is due again when the first of its lanes is. */
    release: (queue: ClaimedQueue, health: Health) =>
      execute(
        sql`
          UPDATE delivery_queues AS queue SET
            claim_id = NULL, claimed_until = NULL, health = ${health},
            due_at = CASE
              WHEN queue.due_at < claimed_until THEN queue.due_at
              WHEN first.due_at IS NOT NULL THEN greatest(first.due_at, slowed_until)
            END
          FROM (
            SELECT (
              SELECT due_at FROM delivery_lanes
              WHERE organization_id = ${queue.organizationId} AND endpoint_id = ${queue.endpointId}
                AND due_at IS NOT NULL
              ORDER BY due_at LIMIT 1
            ) AS due_at
          ) AS first
          WHERE ${isClaimed(queue)}
        `.unprepared
      ),

    /** Sends nothing to the endpoint before a time. */
    slow: (queue: ClaimedQueue, until: Date) =>
      execute(sql`
        UPDATE delivery_queues SET slowed_until = greatest(slowed_until, ${until}::timestamptz) WHERE ${isClaimed(queue)}
      `),

    /**
     * Pauses the queue of an endpoint that is disabled, or whose organization is. Otherwise the queue begins anew, due at once, without
     * its health and without a pause that the endpoint asked for by 429. Does so for all endpoints of the organization when none is
     * given. The endpoints are locked until the transaction ends.
     */
    refresh: (organizationId: OrganizationId, endpointId: WebhookEndpointId | undefined, now: Date) =>
      execute(sql`
        INSERT INTO delivery_queues AS queues (organization_id, endpoint_id, health, is_paused, due_at)
        SELECT organization_id, id, 'FRESH', NOT is_enabled OR ${isSuspended(sql, sql`${organizationId}`)}, ${now}::timestamptz
        FROM webhook_endpoints
        WHERE organization_id = ${organizationId} AND ${endpointId === undefined ? sql.literal("true") : sql`id = ${endpointId}`}
        ORDER BY id
        FOR SHARE
        ON CONFLICT (organization_id, endpoint_id) DO UPDATE SET
          is_paused = excluded.is_paused, health = excluded.health, slowed_until = NULL,
          due_at = least(queues.due_at, excluded.due_at)
      `),

    remove: (organizationId: OrganizationId, endpointId: WebhookEndpointId) =>
      execute(sql`
        DELETE FROM delivery_queues WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
      `)
  }
})
