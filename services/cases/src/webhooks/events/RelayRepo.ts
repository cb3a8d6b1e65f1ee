import { CaseActivity } from "@care/domain/cases"
import { CaseId, OrganizationId, WebhookEventId } from "@care/domain/ids"
import { WebhookEventType } from "@care/domain/webhooks"
import { execute, makeJoinByIndex, rowsOf } from "@care/service-kit"
import { attemptsInAll } from "@care/webhooks"
import { Array as Arr, Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { isSuspended } from "../deliveries/isSuspended.ts"
import { wantsEvent } from "../deliveries/wantsEvent.ts"

/** An entry of a case's activity that is an event and has no position yet. */
const AwaitingActivity = Schema.Struct({
  ...Struct.pick(CaseActivity.fields, ["sequence", "type", "details"]),
  organizationId: OrganizationId,
  caseId: CaseId,
  id: WebhookEventId,
  at: Schema.Date,
  isTest: Schema.Boolean
})
export type AwaitingActivity = typeof AwaitingActivity.Type

const OwnEventRow = Schema.Struct({
  organizationId: OrganizationId,
  id: WebhookEventId,
  type: WebhookEventType,
  at: Schema.Date,
  data: Schema.Record(Schema.String, Schema.String),
  onlyEndpoint: Schema.NullOr(Schema.String),
  exceptEndpoint: Schema.NullOr(Schema.String)
})
type OwnEventRow = typeof OwnEventRow.Type

/** An event that gets its position now, and the endpoints that it is for whatever types they want. */
export interface PlacedEvent
  extends Pick<OwnEventRow, "organizationId" | "id" | "type" | "onlyEndpoint" | "exceptEndpoint"> {
  readonly at: Date
  readonly caseId: CaseId | null
  readonly isTest: boolean
  readonly data: Readonly<Record<string, unknown>>
}

const activities = rowsOf(AwaitingActivity)
const ownEvents = rowsOf(OwnEventRow)
const waitStates = rowsOf(Schema.Struct({ isAny: Schema.Boolean }))
// As texts: JSON has no form for the bigint that the driver makes.
const positions = rowsOf(Schema.Struct({ position: Schema.String }))

const sandboxes = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

/**
 * SQL of the relay. The statement that stores the deliveries reads which endpoints want an event. It locks lanes, endpoints and
 * queues in this order, as all others do. An endpoint is locked so that nobody deletes it, and its queue, before the queue is stored.
 */
export const makeRelayRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const joinByIndex = yield* makeJoinByIndex
  // The planner expects half of all entries to wait, and would read them all instead of the few in their index.
  const alongIndexes = execute(
    sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`
  )

  // Nothing is relayed of an organization that moves to another cell.
  const isHere = sql.literal("organization_id NOT IN (SELECT organization_id FROM standing_organizations)")

  return {
    /** Returns whether anything waits, by the first entry of the index, because the planner expects half of all entries to wait. */
    isAnyAwaiting: Effect.map(
      waitStates.one(
        sql`
          SELECT coalesce(
            (
              SELECT true FROM case_activity WHERE awaits_event AND ${isHere}
              ORDER BY at, organization_id, case_id, sequence LIMIT 1
            ),
            (SELECT true FROM own_events WHERE ${isHere} LIMIT 1),
            false
          ) AS is_any
        `.unprepared
      ),
      ({ isAny }) => isAny
    ),

    /** Waits until no other relay runs, on any instance. The next statement sees what others committed until then. */
    lock: execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' relay of events', 0))`),

    /**
     * Locks and returns the next entries without a position. Organizations take turns among the oldest `window`, each with its oldest
     * first.
     */
    awaiting: (limit: number, window: number) =>
      Effect.andThen(
        alongIndexes,
        activities.all(
          sql`
          SELECT a.organization_id, a.case_id, a.sequence, a.id, a.type, a.details, a.at, c.is_test
          FROM (
            SELECT organization_id, case_id, sequence, at FROM (
              SELECT * FROM (
                SELECT organization_id, case_id, sequence, at FROM case_activity WHERE awaits_event AND ${isHere}
                ORDER BY at, organization_id, case_id, sequence LIMIT ${window}
              ) AS oldest
              ORDER BY row_number() OVER (PARTITION BY organization_id ORDER BY at, case_id, sequence), at LIMIT ${limit}
            ) AS chosen
            ORDER BY at, organization_id, case_id, sequence
          ) AS next
          CROSS JOIN LATERAL (
            SELECT * FROM case_activity
            WHERE organization_id = next.organization_id AND case_id = next.case_id
              AND sequence = next.sequence AND awaits_event
            LIMIT 1
            FOR NO KEY UPDATE
          ) AS a
          JOIN cases c ON c.organization_id = a.organization_id AND c.id = a.case_id
          ORDER BY a.at, a.organization_id, a.case_id, a.sequence
        `.unprepared
        )
      ),

    own: (limit: number) =>
      ownEvents.all(
        sql`
          SELECT organization_id, id, type, at, data, only_endpoint, except_endpoint FROM own_events
          WHERE ${isHere} ORDER BY at, organization_id, id LIMIT ${limit}
        `.unprepared
      ),

    /**
     * Returns the sandboxes of these whose clocks are being moved: for their lanes the relay would wait. Those of the others are not moved
     * until the transaction ends.
     */
    moving: (organizationIds: ReadonlyArray<OrganizationId>) =>
      sandboxes.all(
        sql`
          WITH still AS MATERIALIZED (
            SELECT organization_id FROM test_organizations WHERE organization_id = ANY(${organizationIds}::uuid[])
            FOR SHARE SKIP LOCKED
          )
          SELECT organization_id FROM test_organizations
          WHERE organization_id = ANY(${organizationIds}::uuid[]) AND organization_id NOT IN (SELECT organization_id FROM still)
        `.unprepared
      ),

    /** Gives events their positions, in their order, and stores their deliveries, also those to disabled endpoints. */
    // One statement, although it is long: it joins up to 200 events with the endpoints of their organizations. A decision in TypeScript
    // would lock and read all those endpoints, and send a row for each of possibly thousands of deliveries.
    place: Effect.fnUntraced(function* (events: ReadonlyArray<PlacedEvent>, now: Date) {
      const next = yield* positions.all(
        sql`SELECT nextval('event_positions')::text AS position FROM generate_series(1, ${events.length}::int)`
      )
      const placed = Arr.zipWith(events, next, (event, { position }) => ({ ...event, position }))
      yield* execute(
        sql`
          WITH new_event AS (
            SELECT * FROM jsonb_to_recordset(${JSON.stringify(placed)}::jsonb)
              AS event (
                position bigint, "organizationId" uuid, id uuid, type text, at timestamptz, "caseId" uuid,
                "isTest" boolean, data jsonb, "onlyEndpoint" uuid, "exceptEndpoint" uuid
              )
          ),
          placed AS (
            INSERT INTO monthly_events (organization_id, id, position, type, case_id, is_test, at, data, created_at)
            SELECT "organizationId", id, position, type, "caseId", "isTest", at, data, ${now}::timestamptz FROM new_event
            RETURNING *
          ),
          sent AS (
            INSERT INTO webhook_deliveries (
              organization_id, id, endpoint_id, event_id, event_type, case_id, lane, position, status, attempts,
              attempts_left, next_attempt_at, created_at
            )
            SELECT placed.organization_id, gen_random_uuid(), endpoint.id, placed.id, placed.type, placed.case_id,
                   coalesce(placed.case_id, placed.id), placed.position, 'PENDING', 0, ${attemptsInAll}::integer,
                   placed.created_at, placed.created_at
            FROM placed
            JOIN new_event ON new_event."organizationId" = placed.organization_id AND new_event.id = placed.id
            JOIN webhook_endpoints endpoint ON endpoint.organization_id = placed.organization_id
            WHERE (endpoint.id = new_event."onlyEndpoint" OR new_event."onlyEndpoint" IS NULL AND ${wantsEvent(sql, "placed")})
            AND endpoint.id IS DISTINCT FROM new_event."exceptEndpoint"
            RETURNING organization_id, endpoint_id, lane
          ),
          lanes AS (
            INSERT INTO delivery_lanes AS lanes (organization_id, endpoint_id, lane, waiting, due_at, changed_at)
            SELECT organization_id, endpoint_id, lane, count(*), ${now}::timestamptz, ${now}::timestamptz FROM sent
            GROUP BY organization_id, endpoint_id, lane
            ORDER BY organization_id, endpoint_id, lane
            ON CONFLICT (organization_id, endpoint_id, lane) DO UPDATE SET
              waiting = lanes.waiting + excluded.waiting,
              due_at = coalesce(lanes.due_at, excluded.due_at),
              changed_at = excluded.changed_at
            RETURNING organization_id, endpoint_id
          ),
          queues AS (
            INSERT INTO delivery_queues AS queues (organization_id, endpoint_id, health, is_paused, due_at)
            SELECT endpoint.organization_id, endpoint.id, 'FRESH',
                   NOT endpoint.is_enabled OR ${isSuspended(sql, sql.literal("endpoint.organization_id"))}, ${now}::timestamptz
            FROM (SELECT DISTINCT organization_id, endpoint_id FROM lanes) AS added
            JOIN webhook_endpoints endpoint
              ON endpoint.organization_id = added.organization_id AND endpoint.id = added.endpoint_id
            ORDER BY endpoint.organization_id, endpoint.id
            FOR KEY SHARE OF endpoint
            ON CONFLICT (organization_id, endpoint_id) DO UPDATE SET
              due_at = least(queues.due_at, greatest(excluded.due_at, queues.slowed_until))
          )
          SELECT
        `.unprepared
      )
    }),

    /**
     * Marks entries as relayed. Each is found by its whole key, at a cost that does not grow with the table. They are locked, so that
     * nothing else changes them meanwhile.
     */
    endAwaiting: (placed: ReadonlyArray<AwaitingActivity>) =>
      Effect.andThen(
        joinByIndex,
        execute(
          sql`
            UPDATE case_activity SET awaits_event = false
            FROM jsonb_to_recordset(${JSON.stringify(placed)}::jsonb)
              AS placed ("organizationId" uuid, "caseId" uuid, sequence integer)
            WHERE organization_id = placed."organizationId" AND case_id = placed."caseId"
              AND case_activity.sequence = placed.sequence AND awaits_event
          `.unprepared
        )
      ),

    removeOwn: (placed: ReadonlyArray<OwnEventRow>) =>
      execute(sql`
        DELETE FROM own_events USING jsonb_to_recordset(${JSON.stringify(placed)}::jsonb)
          AS placed ("organizationId" uuid, id uuid)
        WHERE organization_id = placed."organizationId" AND own_events.id = placed.id
      `)
  }
})
