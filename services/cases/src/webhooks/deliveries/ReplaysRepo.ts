import type { PagePosition } from "@care/domain/http"
import { type OrganizationId, type WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from "@care/domain/ids"
import { QueuedDelivery } from "@care/domain/webhooks"
import { affects, execute, rowsOf } from "@care/service-kit"
import { attemptsInAll } from "@care/webhooks"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isSuspended } from "./isSuspended.ts"
import { wantsEvent } from "./wantsEvent.ts"

const queued = rowsOf(QueuedDelivery)
const endpoints = rowsOf(Schema.Struct({ id: WebhookEndpointId }))
const eventRows = rowsOf(Schema.Struct({ id: WebhookEventId }))
const targets = rowsOf(
  Schema.Struct({ eventId: WebhookEventId, endpointId: WebhookEndpointId, isEnabled: Schema.Boolean })
)
const endpointStates = rowsOf(Schema.Struct({ isEnabled: Schema.Boolean }))
const examined = rowsOf(
  Schema.Struct({ id: Schema.String, createdAt: Schema.Date, eventId: WebhookEventId, isChosen: Schema.Boolean })
)

/** The events to replay to an endpoint: from `since` to `until`, after a position. */
interface ReplayedRange {
  readonly organizationId: OrganizationId
  readonly endpointId: WebhookEndpointId
  readonly since: Date
  readonly until: Date
  readonly after: PagePosition
}

/** SQL of replays. It locks deliveries and lanes, endpoint by endpoint, and only then the endpoints and their queues. */
export const makeReplaysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // An event of no case is for the endpoints that it was sent to, whatever types they want.
  const isWanted = sql`
    CASE WHEN event.case_id IS NULL THEN delivery.id IS NOT NULL ELSE ${wantsEvent(sql, "event")} END
  `
  const withDelivery = sql.literal(`
    LEFT JOIN webhook_deliveries delivery
      ON delivery.organization_id = event.organization_id AND delivery.endpoint_id = endpoint.id
      AND delivery.event_id = event.id
  `)
  return {
    /** Returns the event and the endpoint of a delivery, unless the endpoint is deleted. */
    find: (organizationId: OrganizationId, id: WebhookDeliveryId) =>
      targets.first(sql`
        SELECT delivery.event_id, delivery.endpoint_id, endpoint.is_enabled FROM webhook_deliveries delivery
        JOIN webhook_endpoints endpoint
          ON endpoint.organization_id = delivery.organization_id AND endpoint.id = delivery.endpoint_id
        WHERE delivery.organization_id = ${organizationId} AND delivery.id = ${id}
      `),

    /** Returns an event that was added after a time. */
    findEvent: (organizationId: OrganizationId, id: WebhookEventId, after: Date) =>
      eventRows.first(sql`
        SELECT id FROM monthly_events
        WHERE organization_id = ${organizationId} AND id = ${id} AND created_at > ${after}
      `),

    /** Returns whether an endpoint exists and is enabled. */
    isEnabled: (organizationId: OrganizationId, id: WebhookEndpointId) =>
      affects(sql`
        SELECT id FROM webhook_endpoints WHERE organization_id = ${organizationId} AND id = ${id} AND is_enabled
      `),

    /** Locks an endpoint against changes and other replays, and returns whether it is enabled. */
    lockEndpoint: (organizationId: OrganizationId, id: WebhookEndpointId) =>
      endpointStates.first(sql`
        SELECT is_enabled FROM webhook_endpoints WHERE organization_id = ${organizationId} AND id = ${id}
        FOR NO KEY UPDATE
      `),

    /**
     * Returns whether jobs of a replay (`WebhookReplays`) to an endpoint wait or run. Each offers the next in its own transaction, so this
     * is true until the last has ended. The union lets each half use the index of its state.
     */
    isReplaying: (organizationId: OrganizationId, id: WebhookEndpointId) => {
      const jobs = sql`FROM jobs WHERE queue_name = 'webhook-replay' AND organization_id = ${organizationId} AND subject = ${id}`
      return affects(
        sql`SELECT ${jobs} AND state = 'pending' UNION ALL SELECT ${jobs} AND state = 'running' LIMIT 1`.unprepared
      )
    },

    /** Returns the enabled endpoints that want an event. */
    wanting: (organizationId: OrganizationId, eventId: WebhookEventId) =>
      endpoints.all(sql`
        SELECT endpoint.id FROM monthly_events event
        JOIN webhook_endpoints endpoint ON endpoint.organization_id = event.organization_id
        ${withDelivery}
        WHERE event.organization_id = ${organizationId} AND event.id = ${eventId} AND endpoint.is_enabled AND ${isWanted}
        ORDER BY endpoint.id
      `),

    /** Returns the next deliveries to an endpoint in a range, oldest first. */
    inRange: ({ after, endpointId, organizationId, since, until }: ReplayedRange, limit: number) =>
      examined.all(
        sql`
          SELECT id, created_at, event_id, true AS is_chosen FROM webhook_deliveries
          WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
            AND created_at BETWEEN ${since} AND ${until} AND (created_at, id) > (${after.createdAt}, ${after.id})
          ORDER BY created_at, id LIMIT ${limit}
        `.unprepared
      ),

    /** Returns the next events in a range, oldest first. `isChosen`: the endpoint wants the event, and it was not delivered there. */
    missing: ({ after, endpointId, organizationId, since, until }: ReplayedRange, limit: number) =>
      examined.all(
        sql`
          SELECT event.id, event.created_at, event.id AS event_id,
                 ${isWanted} AND delivery.status IS DISTINCT FROM 'DELIVERED' AS is_chosen
          FROM (
            SELECT * FROM monthly_events
            WHERE organization_id = ${organizationId} AND created_at BETWEEN ${since} AND ${until}
              AND (created_at, id) > (${after.createdAt}, ${after.id})
            ORDER BY created_at, id LIMIT ${limit}
          ) AS event
          JOIN webhook_endpoints endpoint ON endpoint.organization_id = event.organization_id AND endpoint.id = ${endpointId}
          ${withDelivery}
          ORDER BY event.created_at, event.id
        `.unprepared
      ),

    /**
     * Stores a given-up delivery of each event that has none yet. Parallel transactions wait for each other and store one. It names no key:
     * that of a partitioned table would have the time, too.
     */
    add: (organizationId: OrganizationId, endpointId: WebhookEndpointId, eventIds: ReadonlyArray<WebhookEventId>) =>
      execute(
        sql`
          INSERT INTO webhook_deliveries (
            organization_id, id, endpoint_id, event_id, event_type, case_id, lane, position, status, attempts, attempts_left,
            created_at
          )
          SELECT event.organization_id, gen_random_uuid(), endpoint.id, event.id, event.type, event.case_id,
                 coalesce(event.case_id, event.id), event.position, 'FAILED', 0, 0, event.created_at
          FROM monthly_events event
          JOIN webhook_endpoints endpoint ON endpoint.organization_id = event.organization_id AND endpoint.id = ${endpointId}
          WHERE event.organization_id = ${organizationId} AND event.id = ANY(${eventIds}::uuid[])
          ORDER BY event.id
          ON CONFLICT DO NOTHING
        `.unprepared
      ),

    /** Locks the deliveries of events, so that the next statement sees their current status. */
    lock: (organizationId: OrganizationId, endpointId: WebhookEndpointId, eventIds: ReadonlyArray<WebhookEventId>) =>
      execute(sql`
        SELECT id FROM webhook_deliveries
        WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND event_id = ANY(${eventIds}::uuid[])
        ORDER BY id
        FOR UPDATE
      `),

    /** Makes the locked deliveries pending, with all attempts again. The attempts that were made stay stored. */
    send: (
      organizationId: OrganizationId,
      endpointId: WebhookEndpointId,
      eventIds: ReadonlyArray<WebhookEventId>,
      now: Date
    ) =>
      queued.all(
        sql`
          WITH before AS (
            SELECT id, status FROM webhook_deliveries
            WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId} AND event_id = ANY(${eventIds}::uuid[])
          ),
          sent AS (
            UPDATE webhook_deliveries AS delivery
            SET status = 'PENDING', attempts_left = ${attemptsInAll}, next_attempt_at = ${now}
            FROM before
            WHERE delivery.organization_id = ${organizationId} AND delivery.id = before.id
            RETURNING delivery.id, delivery.event_id, delivery.lane,
                      CASE WHEN before.status = 'PENDING' THEN 0 ELSE 1 END AS more
          ),
          lanes AS (
            INSERT INTO delivery_lanes AS lanes (organization_id, endpoint_id, lane, waiting, due_at, changed_at)
            SELECT ${organizationId}::uuid, ${endpointId}::uuid, lane, sum(more), ${now}::timestamptz, ${now}::timestamptz
            FROM sent GROUP BY lane ORDER BY lane
            ON CONFLICT (organization_id, endpoint_id, lane) DO UPDATE SET
              waiting = lanes.waiting + excluded.waiting, due_at = excluded.due_at, changed_at = excluded.changed_at
            RETURNING lane
          )
          SELECT id, event_id, ${endpointId}::uuid AS endpoint_id FROM sent ORDER BY id
        `.unprepared
      ),

    /** Makes the queues of endpoints due, unless they are deleted. Nobody deletes them until the transaction ends. */
    makeDue: (organizationId: OrganizationId, endpointIds: ReadonlyArray<WebhookEndpointId>, now: Date) =>
      execute(
        sql`
          INSERT INTO delivery_queues AS queues (organization_id, endpoint_id, health, is_paused, due_at)
          SELECT organization_id, id, 'FRESH', NOT is_enabled OR ${isSuspended(sql, sql.literal("webhook_endpoints.organization_id"))},
                 ${now}::timestamptz
          FROM webhook_endpoints
          WHERE organization_id = ${organizationId} AND id = ANY(${endpointIds}::uuid[])
          ORDER BY id
          FOR KEY SHARE
          ON CONFLICT (organization_id, endpoint_id) DO UPDATE SET
            due_at = least(queues.due_at, greatest(excluded.due_at, queues.slowed_until))
        `.unprepared
      )
  }
})
