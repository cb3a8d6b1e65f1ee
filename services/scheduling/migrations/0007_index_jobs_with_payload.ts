import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The jobs of an organization that still have a payload, in any state: an erasure ends those that name the patient. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE INDEX jobs_with_payload ON jobs (organization_id, queue_name, created_at, id) WHERE payload IS NOT NULL
  `
})
