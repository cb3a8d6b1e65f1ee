import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Emails are stored in lower case, phone numbers in E.164; both belong to one living user. A deleted user keeps its row,
 * because cases show who submitted them.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE users (
      id uuid PRIMARY KEY,
      email text NOT NULL,
      first_name text NOT NULL,
      last_name text NOT NULL,
      role text NOT NULL,
      phone_number text,
      dob date,
      gender text,
      language_preferences text[],
      address text,
      address2 text,
      city text,
      state text,
      country text,
      postal_code text,
      title text,
      title_suffix text,
      npi text,
      dea text,
      is_active boolean NOT NULL DEFAULT true,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      deleted_at timestamptz(3)
    )
  `
  yield* sql`CREATE UNIQUE INDEX users_email ON users (email) WHERE deleted_at IS NULL`
  yield* sql`CREATE UNIQUE INDEX users_phone_number ON users (phone_number) WHERE deleted_at IS NULL`
})
