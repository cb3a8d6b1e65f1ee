import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The patients of cases, as the cases service once answered. The patient of a case never changes. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE case_owners (
      organization_id uuid NOT NULL,
      case_id uuid NOT NULL,
      user_id uuid NOT NULL,
      PRIMARY KEY (organization_id, case_id)
    )
  `
  yield* sql`CREATE INDEX case_owners_by_patient ON case_owners (organization_id, user_id, case_id)`
})
