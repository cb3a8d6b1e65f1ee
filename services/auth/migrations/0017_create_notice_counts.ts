import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The notices of one kind that an address was sent within a day: a keyed hash of the address, and the ids of the messages. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE notice_counts (
      organization_id uuid NOT NULL,
      receiver_hash text NOT NULL,
      kind text NOT NULL,
      begun_at timestamptz NOT NULL,
      message_ids uuid[] NOT NULL,
      PRIMARY KEY (organization_id, receiver_hash, kind)
    )
  `
  yield* sql`CREATE INDEX notice_counts_by_time ON notice_counts (begun_at)`
})
