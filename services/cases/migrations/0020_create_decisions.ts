import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The content of a decision is sealed: text, category, medicines. `prescriber` is how the provider was shown at the time. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE decisions (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      added_by uuid NOT NULL,
      prescriber jsonb NOT NULL,
      is_approved boolean NOT NULL,
      is_no_decision boolean NOT NULL,
      decision_text text NOT NULL,
      category text,
      visit_type text NOT NULL,
      product_id uuid,
      start_date timestamptz(3) NOT NULL,
      end_date timestamptz(3) NOT NULL,
      med_info text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id),
      FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX decisions_by_case ON decisions (organization_id, case_id, created_at, id)`
})
