import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The customers of the gateway who are deleted there, or are about to be: from then on no method of theirs is saved. A row
 * stays, because a method may be told however late.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE deleted_customers (
      organization_id uuid NOT NULL,
      customer_id text NOT NULL,
      deleted_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, customer_id)
    )
  `
})
