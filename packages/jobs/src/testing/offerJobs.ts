import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Stores jobs of the requests `<name> 1`, `<name> 2`, ... of an organization, each due a second after the one before, the last now. */
export const offerJobs = Effect.fnUntraced(function* (
  queue: string,
  organizationId: string,
  name: string,
  count: number
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO jobs (id, queue_name, organization_id, version, payload, request_id, due_at)
    SELECT gen_random_uuid(), ${queue}, ${organizationId}::uuid, 1, '', ${name} || ' ' || n, now() - (${count}::int - n) * interval '1 second'
    FROM generate_series(1, ${count}::int) AS n
  `
})
