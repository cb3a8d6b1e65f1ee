import { LoggedRequest } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** Which requests are meant: a status and its class, an id of a request, and the times between which they were made. */
export interface RequestLogsFilter {
  readonly statusClass: number | undefined
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly since: Date
  readonly until: Date
}

const requests = rowsOf(LoggedRequest)
const ids = rowsOf(Schema.Struct({ id: Schema.String }))
const days = rowsOf(Schema.Struct({ stored: Schema.Int }))
const completions = rowsOf(Schema.Struct({ isComplete: Schema.Boolean }))

/** SQL of the request log of one organization. */
export const makeRequestLogsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Fails if the organization moves, or is in another cell. */
    requireHere: (organizationId: OrganizationId) => execute(sql`SELECT require_here(${organizationId}::uuid)`),

    /** Locks a day, and returns how many requests of it are stored. */
    lockDay: (organizationId: OrganizationId, begunAt: Date) =>
      Effect.map(
        days.one(sql`
          INSERT INTO request_log_days (organization_id, begun_at, stored, is_complete)
          VALUES (${organizationId}, ${begunAt}, 0, true)
          ON CONFLICT (organization_id, begun_at) DO UPDATE SET stored = request_log_days.stored
          RETURNING stored
        `),
        ({ stored }) => stored
      ),

    /** Stores requests once, however often they are sent. Returns how many are new. */
    insert: (organizationId: OrganizationId, logged: ReadonlyArray<LoggedRequest>) =>
      Effect.map(
        ids.all(sql`
          INSERT INTO request_logs (
            organization_id, at, id, method, path, status, duration_ms, request_id, api_key_id, error_code, version
          )
          SELECT ${organizationId}::uuid, at, id, method, path, status, "durationMs", "requestId", "apiKeyId", "errorCode", version
          FROM jsonb_to_recordset(${JSON.stringify(logged)}::jsonb) AS given (
            at timestamptz, id uuid, method text, path text, status integer, "durationMs" integer, "requestId" text,
            "apiKeyId" uuid, "errorCode" text, version text
          )
          ON CONFLICT DO NOTHING
          RETURNING id
        `),
        ({ length }) => length
      ),

    /** Adds to the count of a day; `isComplete` is false if some requests of it were dropped. */
    count: (organizationId: OrganizationId, begunAt: Date, added: number, isComplete: boolean) =>
      execute(sql`
        UPDATE request_log_days SET stored = stored + ${added}, is_complete = is_complete AND ${isComplete}
        WHERE organization_id = ${organizationId} AND begun_at = ${begunAt}
      `),

    /** Returns requests of before a position, newest first. */
    page: (
      organizationId: OrganizationId,
      { requestId, since, status, statusClass, until }: RequestLogsFilter,
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
