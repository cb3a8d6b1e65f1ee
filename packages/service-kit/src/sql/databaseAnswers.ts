import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** A readiness check: the service's database answers within two seconds. */
export const databaseAnswers = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  sql`SELECT 1`.pipe(
    Effect.timeout("2 seconds"),
    Effect.as(true),
    Effect.catchCause(() => Effect.succeed(false))
  )
