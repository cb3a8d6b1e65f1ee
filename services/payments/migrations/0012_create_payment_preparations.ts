import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The payments that are prepared for cases which are not stored yet: for which try (`id`), and the method that the patient will
 * have saved with it. A row exists for as long as its payment is prepared, and is locked before either is changed.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment_preparations (
      organization_id uuid NOT NULL,
      case_id uuid NOT NULL,
      id uuid NOT NULL,
      customer_id text,
      payment_method_id text,
      PRIMARY KEY (organization_id, case_id)
    )
  `
})
