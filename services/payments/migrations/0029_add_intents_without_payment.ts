import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `unclaimed_since` is of an intent that holds or took money for an organization, and pays nothing here: since when. `asked_at`
 * of a payment is when the gateway was last asked for its intent by a sweep.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE payment_intents ADD COLUMN unclaimed_since timestamptz(3)`
  yield* sql`
    CREATE INDEX payment_intents_unclaimed ON payment_intents (organization_id, unclaimed_since, id)
    WHERE unclaimed_since IS NOT NULL
  `
  yield* sql`ALTER TABLE payments ADD COLUMN asked_at timestamptz(3)`
})
