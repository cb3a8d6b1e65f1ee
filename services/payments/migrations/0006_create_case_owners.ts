import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `case_owners` is whose cases are, learnt from cases once: it never changes. The indexes lead to what operators look for, the
 * newest payments first, of each status, of one organization or of all. A prepared payment is of no case yet.
 */
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
  yield* sql`CREATE INDEX payments_of_case ON payments (case_id, created_at, id) WHERE NOT is_prepared`
  yield* sql`CREATE INDEX payments_by_status ON payments (status, created_at, id) WHERE NOT is_prepared`
  yield* sql`
    CREATE INDEX payments_of_organization ON payments (organization_id, status, created_at, id) WHERE NOT is_prepared
  `
})
