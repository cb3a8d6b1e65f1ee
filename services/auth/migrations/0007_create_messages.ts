import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The local mailbox of development and test. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE messages (
      id uuid PRIMARY KEY,
      channel text NOT NULL,
      receiver text NOT NULL,
      subject text,
      text text NOT NULL,
      created_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE INDEX messages_by_creation ON messages (created_at, id)`
  yield* sql`CREATE INDEX messages_by_receiver ON messages (receiver, created_at, id)`
})
