import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What was decided and said is sealed. `prescriber` is how the provider was shown at the time. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE decisions (
      id uuid PRIMARY KEY,
      case_id uuid NOT NULL REFERENCES cases (id),
      organization_id uuid NOT NULL,
      added_by uuid NOT NULL,
      prescriber jsonb NOT NULL,
      is_approved boolean NOT NULL,
      is_no_decision boolean NOT NULL,
      decision_text text NOT NULL,
      category text,
      visit_type text NOT NULL,
      product_id uuid REFERENCES products (id),
      start_date timestamptz(3) NOT NULL,
      end_date timestamptz(3) NOT NULL,
      med_info text NOT NULL,
      created_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE INDEX decisions_by_case ON decisions (case_id, created_at, id)`
  yield* sql`
    CREATE TABLE comments (
      id uuid PRIMARY KEY,
      case_id uuid NOT NULL REFERENCES cases (id),
      organization_id uuid NOT NULL,
      author_id uuid NOT NULL,
      text text NOT NULL,
      is_restricted boolean NOT NULL,
      created_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE INDEX comments_by_case ON comments (case_id, created_at, id)`
})
