import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Returns the number of entries of tables and of their indexes that an effect reads. */
export const readsOf = Effect.fnUntraced(function* <A, E, R>(
  tables: ReadonlyArray<string>,
  effect: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const count = sql<{ reads: number }>`
    SELECT sum(pg_stat_get_xact_tuples_returned(r.oid))::int AS reads
    FROM unnest(${tables}::text[]) AS given (name)
    JOIN pg_class r ON r.oid = given.name::regclass OR r.oid IN (
      SELECT indexrelid FROM pg_index WHERE indrelid = given.name::regclass
    )
  `.pipe(Effect.map(([row]) => row?.reads ?? Number.NaN))
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const before = yield* count
      yield* effect
      return (yield* count) - before
    })
  )
})
