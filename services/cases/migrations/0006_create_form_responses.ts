import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `questions` is an array of questions with their answers; answers marked as health information are sealed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE form_responses (
      id uuid PRIMARY KEY,
      case_id uuid NOT NULL REFERENCES cases (id),
      organization_id uuid NOT NULL,
      product_id uuid REFERENCES products (id),
      title text NOT NULL,
      description text,
      questions jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE INDEX form_responses_by_case ON form_responses (case_id, created_at)`
})
