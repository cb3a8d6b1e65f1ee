import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `content` is what was asked and answered (description and questions with their answers) as JSON, sealed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE form_responses (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      product_id uuid,
      form_id uuid,
      title text NOT NULL,
      content text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id),
      FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id),
      FOREIGN KEY (organization_id, form_id) REFERENCES forms (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX form_responses_by_case ON form_responses (organization_id, case_id, created_at, id)`
})
