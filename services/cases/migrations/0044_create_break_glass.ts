import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Accesses of providers to cases that are not theirs. `reason` is sealed. `opened_for` is the provider, and the case is open until `expires_at`. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE break_glass (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      opened_for uuid NOT NULL,
      reason text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX break_glass_open ON break_glass (organization_id, case_id, opened_for, expires_at)`
  yield* sql`CREATE INDEX break_glass_newest ON break_glass (organization_id, created_at, id)`
  // For the list of all organizations.
  yield* sql`CREATE INDEX break_glass_of_all ON break_glass (created_at, id)`
})
