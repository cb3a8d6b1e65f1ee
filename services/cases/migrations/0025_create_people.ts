import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How people are shown, where they live and may work: versioned copies, as auth last sent them. The table may be emptied at any
 * time: a missing row is asked for again. A person whose change was not sent yet may have an email or a phone number that is
 * another's by now.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE people (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      version integer NOT NULL,
      email text NOT NULL,
      first_name text NOT NULL,
      last_name text NOT NULL,
      role text NOT NULL,
      phone_number text NOT NULL,
      is_active boolean NOT NULL,
      state text NOT NULL,
      licensed_states text[] NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  // The search looks for an email in all organizations.
  yield* sql`CREATE INDEX people_by_email ON people (email, organization_id)`
  yield* sql`CREATE INDEX people_by_phone_number ON people (organization_id, phone_number) WHERE phone_number <> ''`
  yield* sql`CREATE INDEX people_providers ON people (organization_id, id) WHERE role = 'PROVIDER' AND is_active`
})
