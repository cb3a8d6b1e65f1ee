import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the care team has to handle on cases. `note` is sealed; `title` is the current one, never a deprecated one. Of each type and
 * title a case has one escalation that is not completed.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE escalations (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      type text NOT NULL,
      title text NOT NULL,
      note text,
      follow_up_due_at timestamptz(3),
      assigned_to_user_id uuid,
      is_completed boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX escalations_active ON escalations (organization_id, case_id, type, title) WHERE NOT is_completed
  `
  yield* sql`CREATE INDEX escalations_by_case ON escalations (organization_id, case_id, created_at, id)`
  // For the operator's path, which names an id alone.
  yield* sql`CREATE INDEX escalations_by_id ON escalations (id)`
})
