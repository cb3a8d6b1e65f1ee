import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Forms that dynamic cases make are one a title; the unique index lets one of two parallel cases make it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE forms ADD COLUMN is_dynamic boolean NOT NULL DEFAULT false`
  yield* sql`CREATE UNIQUE INDEX forms_dynamic_title ON forms (organization_id, title) WHERE is_dynamic`
  yield* sql`ALTER TABLE form_responses ADD COLUMN form_id uuid REFERENCES forms (id)`
})
