import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The moves of the clocks of sandbox organizations, of which each has one under way. `begun_at` is the machine's time, the others the clock's. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE clock_advances (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      state text NOT NULL CHECK (state IN ('MOVING', 'DONE', 'STOPPED')),
      begins timestamptz(3) NOT NULL,
      target timestamptz(3) NOT NULL,
      reached timestamptz(3) NOT NULL,
      steps integer NOT NULL,
      begun_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE UNIQUE INDEX clock_advances_moving ON clock_advances (organization_id) WHERE state = 'MOVING'`
  yield* sql`CREATE INDEX clock_advances_by_time ON clock_advances (begun_at)`
})
