import { PgPool } from "@effect/sql-pg"
import { Effect, PartitionedSemaphore, type Scope } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { PgSqlConnection } from "./PgSqlConnection.ts"

/** A pool of connections. `use` lends one for a statement, and `reserve` until the scope closes. */
export interface Pool {
  readonly use: SqlConnection.Borrower
  readonly reserve: Effect.Effect<SqlConnection.Connection, SqlError.SqlError, Scope.Scope>
}

const key = "connection"

/** Limits the connections of a pool that are in use at a time. They are lent in the order of the requests. */
export const limitConnections = Effect.fnUntraced(function* (permits: number, pool: Pool) {
  const semaphore = yield* PartitionedSemaphore.make<typeof key>({ permits })
  // Transactions begin in an uninterruptible region. An interrupted fiber must stop waiting.
  const permit = Effect.acquireRelease(Effect.interruptible(semaphore.take(key, 1)), () => semaphore.release(1))
  const limited: Pool = {
    use: (f) => semaphore.withPermit(key)(pool.use(f)),
    reserve: Effect.andThen(permit, pool.reserve)
  }
  return limited
})

/** Makes a pool that lends connections first come, first served. The driver's pool lets a waiting fiber starve. */
export const makePool = Effect.fnUntraced(function* (config: PgPool.Config & { readonly maxConnections: number }) {
  const pool = yield* PgPool.make(config)
  return yield* limitConnections(config.maxConnections, {
    use: (f) => pool.use((session) => f(new PgSqlConnection(session))),
    reserve: Effect.map(pool.reserve, (session) => new PgSqlConnection(session))
  })
})
