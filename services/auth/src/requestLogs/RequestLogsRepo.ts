import { LoggedRequest, requestsLoggedADay } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** Which requests are meant: a status and its class, a method, a path, an id of a request, and the times between which they were made. */
export interface RequestLogsFilter {
  readonly statusClass: number | undefined
  readonly status: number | undefined
  readonly method: string | undefined
  readonly path: string | undefined
  readonly requestId: string | undefined
  readonly since: Date
  readonly until: Date
}

const requests = rowsOf(LoggedRequest)
const moves = rowsOf(Schema.Struct({ organizationId: OrganizationId, hasMoved: Schema.Boolean }))
const days = rowsOf(
  Schema.Struct({
    organizationId: OrganizationId,
    begunAt: Schema.Date,
    /** How many requests of the day were stored before. */
    stored: Schema.Int,
    /** How many of the batch are of the day, and how many of them were stored now. */
    given: Schema.Int,
    added: Schema.Int,
    /** Whether the gateway dropped some of the day. */
    hasDropped: Schema.Boolean
  })
)
/** How many requests of a day are stored. */
interface DayCount {
  readonly organizationId: OrganizationId
  readonly begunAt: Date
  readonly stored: number
  readonly isComplete: boolean
}

const completions = rowsOf(Schema.Struct({ isComplete: Schema.Boolean }))

/** SQL of the request log of one organization. */
export const makeRequestLogsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isOneOf = (ids: ReadonlyArray<OrganizationId> | undefined) =>
    ids === undefined ? sql`true` : sql`"organizationId"::text IN ${sql.in(ids)}`
  return {
    /** Fails if one of the organizations moves, or is in another cell. */
    requireHere: (ids: ReadonlyArray<OrganizationId>) =>
      execute(sql`SELECT require_here(id::uuid) FROM jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) AS id`),

    /** Returns which organizations of a batch move or ever moved, and which do not. */
    movesOf: (batch: string) =>
      moves.all(sql`
        SELECT DISTINCT "organizationId" AS organization_id, state IS NOT NULL AS has_moved
        FROM (
          SELECT * FROM json_to_recordset(${batch}::json -> 'requests') AS request ("organizationId" uuid)
          UNION SELECT * FROM json_to_recordset(${batch}::json -> 'dropped') AS dropped ("organizationId" uuid)
        ) AS named
        LEFT JOIN organization_moves ON organization_id = "organizationId"
      `),

    /**
     * Stores the requests of a batch (its JSON) once, however often it is sent, up to `requestsLoggedADay` of an organization and day, and
     * locks these days. Of some organizations, or of all. One statement, because each that reads the JSON takes as long as storing it.
     */
    insert: (batch: string, only: ReadonlyArray<OrganizationId> | undefined) =>
      days.all(sql`
        WITH batch AS MATERIALIZED (SELECT ${batch}::json AS value), requests AS MATERIALIZED (
          SELECT request.*, date_trunc('day', at, 'UTC') AS begun_at
          FROM batch, json_to_recordset(value -> 'requests') AS request (
            "organizationId" uuid, at timestamptz(3), id uuid, method text, path text, status integer, "durationMs" integer,
            "requestId" text, "apiKeyId" uuid, "errorCode" text, version text
          )
          WHERE ${isOneOf(only)}
        ), given AS (
          SELECT "organizationId", begun_at, count(*)::integer AS given, false AS has_dropped FROM requests GROUP BY 1, 2
          UNION ALL
          SELECT "organizationId", date_trunc('day', at, 'UTC'), 0, true
          FROM batch, json_to_recordset(value -> 'dropped') AS dropped ("organizationId" uuid, at timestamptz(3))
          WHERE ${isOneOf(only)}
        ), days AS MATERIALIZED (
          SELECT "organizationId" AS organization_id, begun_at, sum(given)::integer AS given, bool_or(has_dropped) AS has_dropped
          FROM given GROUP BY 1, 2
        ), locked AS (
          INSERT INTO request_log_days (organization_id, begun_at, stored, is_complete)
          SELECT organization_id, begun_at, 0, true FROM days ORDER BY 1, 2
          ON CONFLICT (organization_id, begun_at) DO UPDATE SET stored = request_log_days.stored
          RETURNING organization_id, begun_at, stored
        ), added AS (
          INSERT INTO request_logs (
            organization_id, at, id, method, path, status, duration_ms, request_id, api_key_id, error_code, version
          )
          SELECT organization_id, at, id, method, path, status, "durationMs", "requestId", "apiKeyId", "errorCode", version
          FROM (SELECT *, row_number() OVER (PARTITION BY "organizationId", begun_at) AS number FROM requests) AS numbered
          JOIN locked ON organization_id = "organizationId" AND locked.begun_at = numbered.begun_at
          WHERE stored + number <= ${requestsLoggedADay}
          ON CONFLICT DO NOTHING
          RETURNING organization_id, at
        )
        SELECT organization_id, begun_at, stored, given, has_dropped, coalesce(added, 0) AS added
        FROM locked JOIN days USING (organization_id, begun_at)
        LEFT JOIN (
          SELECT organization_id, date_trunc('day', at, 'UTC') AS begun_at, count(*)::integer AS added FROM added GROUP BY 1, 2
        ) AS counted USING (organization_id, begun_at)
      `),

    /** Sets how many requests of locked days are stored. `isComplete` is false if some of a day were dropped. */
    count: (counts: ReadonlyArray<DayCount>) =>
      execute(sql`
        UPDATE request_log_days d SET stored = given.stored, is_complete = d.is_complete AND given."isComplete"
        FROM jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) AS given (
          "organizationId" uuid, "begunAt" timestamptz, stored integer, "isComplete" boolean
        )
        WHERE d.organization_id = given."organizationId" AND d.begun_at = given."begunAt"
      `),

    /** Returns requests of before a position, newest first. */
    page: (
      organizationId: OrganizationId,
      { method, path, requestId, since, status, statusClass, until }: RequestLogsFilter,
      before: PagePosition,
      limit: number
    ) =>
      requests.all(sql`
        SELECT id, at, method, path, status, duration_ms, request_id, api_key_id, error_code, version
        FROM request_logs
        WHERE ${sql.and([
          sql`organization_id = ${organizationId} AND (at, id) < (${before.createdAt}, ${before.id})`,
          sql`at BETWEEN ${since} AND ${until}`,
          ...(statusClass === undefined ? [] : [sql`status / 100 = ${statusClass}`]),
          ...(status === undefined ? [] : [sql`status = ${status}`]),
          ...(method === undefined ? [] : [sql`method = ${method}`]),
          ...(path === undefined ? [] : [sql`path = ${path}`]),
          ...(requestId === undefined ? [] : [sql`request_id = ${requestId}`])
        ])}
        ORDER BY at DESC, id DESC
        LIMIT ${limit}
      `),

    /** Returns whether no requests of some days were dropped. */
    isComplete: (organizationId: OrganizationId, firstDay: Date, until: Date) =>
      Effect.map(
        completions.one(sql`
          SELECT NOT EXISTS (
            SELECT FROM request_log_days
            WHERE organization_id = ${organizationId} AND begun_at BETWEEN ${firstDay} AND ${until} AND NOT is_complete
          ) AS is_complete
        `),
        ({ isComplete }) => isComplete
      )
  }
})
