import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The state of each payment intent of the gateway that is known, of whatever organization: events come before the case that names
 * an intent, too. `organization_id` is the one that the intent names. `unclaimed_since` is since when an intent has held or taken
 * money for an organization while no payment here uses it; `reported_at` is when a sweep last reported that.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment_intents (
      id text PRIMARY KEY,
      organization_id uuid,
      state jsonb NOT NULL,
      amount numeric(16, 4),
      currency text,
      updated_at timestamptz(3) NOT NULL,
      unclaimed_since timestamptz(3),
      reported_at timestamptz(3)
    )
  `
  // Of each organization first the intents that were never reported, or longest ago.
  yield* sql`
    CREATE INDEX payment_intents_reported
    ON payment_intents (organization_id, (coalesce(reported_at, '-infinity'::timestamptz)), unclaimed_since, id)
    WHERE unclaimed_since IS NOT NULL
  `
})
