import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Runs a change in a transaction. Its failure rolls it back and stays typed. A failure of the transaction itself is a defect. */
export const inTransaction =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    sql
      .withTransaction(Effect.mapError(change, (refusal) => ({ _tag: "Refused" as const, refusal })))
      .pipe(Effect.catchTags({ SqlError: Effect.die, Refused: ({ refusal }) => Effect.fail(refusal) }))
