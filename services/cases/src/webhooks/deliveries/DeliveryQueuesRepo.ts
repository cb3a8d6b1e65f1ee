import { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { affects, execute, oldest, rowsOf } from "@care/service-kit"
import { Health, type Share } from "@care/webhooks"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isSuspended } from "./isSuspended.ts"

const ClaimedRow = Schema.Struct({
  organizationId: OrganizationId,
  endpointId: WebhookEndpointId,
  claimId: Schema.String,
  health: Health
})

/** The queue of an endpoint that this process has taken, as long as the claim holds. */
export interface ClaimedQueue extends Schema.Schema.Type<typeof ClaimedRow> {
  readonly share: Share
}

const claimedQueues = rowsOf(ClaimedRow)
const claims = rowsOf(Schema.Struct({ claimId: Schema.String }))

/** Which queues are taken: how many of each share, of other organizations than those given. */
interface Wanted<Which extends Share> {
  readonly most: Readonly<Record<Which, number>>
  readonly except: ReadonlyArray<OrganizationId>
}

/**
 * SQL of the queues of endpoints. While a queue is taken its `due_at` is the end of the claim, so that it is due when its
 * process is dead; whoever adds something sets it lower, so that the end of the claim overlooks nothing. None of it is
 * prepared: a plan that was kept is one for the table as it was.
 */
export const makeDeliveryQueuesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isClaimed = ({ claimId, endpointId, organizationId }: ClaimedQueue) => sql`
    organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND claim_id = ${claimId}
  `
  // By an index, whatever the planner believes.
  const take = (
    most: object,
    except: ReadonlyArray<OrganizationId>,
    [since, order]: readonly [since: Date, order: "ASC" | "DESC"],
    now: Date,
    until: Date
  ) =>
    claimedQueues.all(
      sql`
        UPDATE delivery_queues
        SET claim_id = gen_random_uuid(), claimed_until = ${until}::timestamptz, due_at = ${until}::timestamptz
        WHERE ctid = ANY (ARRAY (
          SELECT queue.ctid
          FROM jsonb_each_text(${JSON.stringify(most)}::jsonb) AS wanted (standing, most)
          CROSS JOIN LATERAL (
            SELECT ctid FROM delivery_queues
            WHERE standing = wanted.standing AND NOT is_paused AND due_at BETWEEN ${since} AND ${now}
              AND (claimed_until IS NULL OR claimed_until <= ${now})
              AND organization_id <> ALL(${except}::uuid[])
            ORDER BY due_at ${sql.literal(order)} LIMIT wanted.most::integer
            FOR UPDATE SKIP LOCKED
          ) AS queue
        ))
        RETURNING organization_id, endpoint_id, claim_id, standing AS health
      `.unprepared
    )

  return {
    /** Takes queues that are due, the one that is due for the longest first. */
    claim: ({ except, most }: Wanted<Health>, now: Date, until: Date) =>
      Effect.map(take(most, except, [oldest.createdAt, "ASC"], now, until), (rows) =>
        rows.map((row): ClaimedQueue => ({ ...row, share: row.health }))
      ),

    /** The same of those that did well and became due since a time, the last one first. */
    claimLatest: ({ except, most }: Wanted<"LATEST">, since: Date, now: Date, until: Date) =>
      Effect.map(take({ PROVEN: most.LATEST }, except, [since, "DESC"], now, until), (rows) =>
        rows.map((row): ClaimedQueue => ({ ...row, share: "LATEST" }))
      ),

    /** The claims, of all processes, to whose queues something was added since they were taken or kept: all of their index. */
    addedTo: claims.all(sql`SELECT claim_id FROM delivery_queues WHERE due_at < claimed_until`.unprepared),

    /** Keeps a queue for longer: false when the claim does not hold any more. Whoever looks after this overlooks nothing. */
    keep: (queue: ClaimedQueue, until: Date) =>
      affects(sql`
        UPDATE delivery_queues SET claimed_until = ${until}::timestamptz, due_at = ${until}::timestamptz
        WHERE ${isClaimed(queue)}
        RETURNING claim_id
      `),

    /** Gives a queue back, which is due again when the first of its lanes is. */
    release: (queue: ClaimedQueue, health: Health) =>
      execute(
        sql`
          UPDATE delivery_queues AS queue SET
            claim_id = NULL, claimed_until = NULL, standing = ${health},
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

    /** Nothing is sent to the endpoint before a time. */
    slow: (queue: ClaimedQueue, until: Date) =>
      execute(sql`
        UPDATE delivery_queues SET slowed_until = greatest(slowed_until, ${until}::timestamptz) WHERE ${isClaimed(queue)}
      `),

    /**
     * Pauses the queue of an endpoint that is disabled, or whose organization is; otherwise it begins anew, and what the endpoint asked
     * for by answering 429 is forgotten, as is its health. The queues of all endpoints of the organization when none is given. Nobody
     * changes the endpoints until this is done.
     */
    refresh: (organizationId: OrganizationId, endpointId: WebhookEndpointId | undefined, now: Date) =>
      execute(sql`
        INSERT INTO delivery_queues AS queues (organization_id, endpoint_id, standing, is_paused, due_at)
        SELECT organization_id, id, 'FRESH', NOT is_enabled OR ${isSuspended(sql, sql`${organizationId}`)}, ${now}::timestamptz
        FROM webhook_endpoints
        WHERE organization_id = ${organizationId} AND ${endpointId === undefined ? sql.literal("true") : sql`id = ${endpointId}`}
        ORDER BY id
        FOR SHARE
        ON CONFLICT (organization_id, endpoint_id) DO UPDATE SET
          is_paused = excluded.is_paused, standing = excluded.standing, slowed_until = NULL,
          due_at = least(queues.due_at, excluded.due_at)
      `),

    remove: (organizationId: OrganizationId, endpointId: WebhookEndpointId) =>
      execute(sql`
        DELETE FROM delivery_queues WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
      `)
  }
})
