import { PgPool } from "@effect/sql-pg"
import { Effect, PartitionedSemaphore, type Scope } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { PgSqlConnection } from "./PgSqlConnection.ts"

/** Connections that are lent to one at a time: for a statement (`use`), or until the scope closes (`reserve`). */
export interface Pool {
  readonly use: SqlConnection.Borrower
  readonly reserve: Effect.Effect<SqlConnection.Connection, SqlError.SqlError, Scope.Scope>
}

const key = "connection"

/** Lends what a pool has to so many at a time, in the order in which they ask. */
export const inTurns = Effect.fnUntraced(function* (permits: number, pool: Pool) {
  const turns = yield* PartitionedSemaphore.make<typeof key>({ permits })
  // Transactions begin where nothing is interrupted; whoever gives up must not wait on.
  const turn = Effect.acquireRelease(Effect.interruptible(turns.take(key, 1)), () => turns.release(1))
  const made: Pool = {
    use: (f) => turns.withPermit(key)(pool.use(f)),
    reserve: Effect.andThen(turn, pool.reserve)
  }
  return made
})

/**
 * A pool that serves first who came first. The driver's alone lends a connection that becomes free to whoever asks at that
 * moment, and those who wait may wait for ever.
 */
export const makePool = Effect.fnUntraced(function* (config: PgPool.Config & { readonly maxConnections: number }) {
  const pool = yield* PgPool.make(config)
  return yield* inTurns(config.maxConnections, {
    use: (f) => pool.use((session) => f(new PgSqlConnection(session))),
    reserve: Effect.map(pool.reserve, (session) => new PgSqlConnection(session))
  })
})
