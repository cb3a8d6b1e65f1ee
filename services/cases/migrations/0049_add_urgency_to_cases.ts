import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What makes a case urgent: an open escalation, and the earliest due date of an open product. They repeat what `escalations` and
 * `case_products` say, so that an index has the urgent cases first.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE cases ADD COLUMN has_open_escalation boolean NOT NULL DEFAULT false, ADD COLUMN due_on date`
})
