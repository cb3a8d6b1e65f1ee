import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A readiness check: the service's database answers within two seconds. */
export const databaseAnswers: Effect.Effect<boolean, never, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql`SELECT 1`.pipe(
      Effect.timeout("2 seconds"),
      Effect.as(true),
      Effect.catchCause(() => Effect.succeed(false))
    )
)
