import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The requests of organizations to the partner API, without their contents. `request_log_days` counts those of a day (UTC), so that none has
 * more than its share, and tells whether some of that day are missing.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE request_logs (
      organization_id uuid NOT NULL,
      at timestamptz(3) NOT NULL,
      id uuid NOT NULL,
      method text NOT NULL,
      path text NOT NULL,
      status integer NOT NULL,
      duration_ms integer NOT NULL,
      request_id text NOT NULL,
      api_key_id uuid NOT NULL,
      error_code text,
      version text,
      PRIMARY KEY (organization_id, at, id)
    )
  `
  yield* sql`CREATE INDEX request_logs_by_status ON request_logs (organization_id, (status / 100), at, id)`
  yield* sql`CREATE INDEX request_logs_by_request ON request_logs (organization_id, request_id, at, id)`
  yield* sql`CREATE INDEX request_logs_by_time ON request_logs (at)`
  yield* sql`
    CREATE TABLE request_log_days (
      organization_id uuid NOT NULL,
      begun_at timestamptz(3) NOT NULL,
      stored integer NOT NULL,
      is_complete boolean NOT NULL,
      PRIMARY KEY (organization_id, begun_at)
    )
  `
  yield* sql`CREATE INDEX request_log_days_by_time ON request_log_days (begun_at)`
})
