import { Effect, Schedule } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Runs changes of a table in a transaction that waits for locks at most half a second at a time, so that nobody waits long behind it. */
export const withBriefLocks = <A>(sql: SqlClient.SqlClient, change: Effect.Effect<A, SqlError.SqlError>) =>
  Effect.andThen(sql`SET LOCAL lock_timeout = '500ms'`, change).pipe(
    sql.withTransaction,
    Effect.retry({
      while: ({ reason }) => reason._tag === "LockTimeoutError",
      schedule: Schedule.spaced("250 millis")
    }),
    Effect.orDie
  )
