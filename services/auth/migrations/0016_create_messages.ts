import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The local mailbox of development and tests. `user_id` is the receiver, whatever their address was at the time; null for a
 * message to an organization itself.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE messages (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid,
      channel text NOT NULL,
      receiver text NOT NULL,
      subject text,
      text text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX messages_by_creation ON messages (created_at, id)`
  yield* sql`CREATE INDEX messages_by_receiver ON messages (receiver, created_at, id)`
  yield* sql`CREATE INDEX messages_by_user ON messages (organization_id, user_id, created_at, id)`
})
