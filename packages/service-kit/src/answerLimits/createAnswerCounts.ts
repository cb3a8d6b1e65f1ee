import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Migration of a service with limits of answers: how many an organization was given under a limit in the window that ends at
 * `ends_at`. An organization has one row a limit, which its next window begins anew; each is written often, and in place.
 */
export const createAnswerCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE answer_counts (
      organization_id uuid NOT NULL,
      name text NOT NULL,
      used integer NOT NULL,
      ends_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, name)
    ) WITH (fillfactor = 50)
  `
})
