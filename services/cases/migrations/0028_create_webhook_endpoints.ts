import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Where partners are sent events. `event_types` is null for all. What is secret is sealed: the URL may have a token in it.
 * `failing_since` is when the first of the attempts failed that have failed since the last success.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhook_endpoints (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      url text NOT NULL,
      event_types text[],
      includes_test_cases boolean NOT NULL,
      is_enabled boolean NOT NULL,
      disabled_reason text,
      secret text NOT NULL,
      previous_secret text,
      previous_secret_until timestamptz(3),
      failing_since timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
})
