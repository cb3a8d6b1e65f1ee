import { PgPool } from "@effect/sql-pg"
import { Clock, Effect, Metric, PartitionedSemaphore, type Scope } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { PgSqlConnection } from "./PgSqlConnection.ts"

/** A pool of connections. `use` lends one for a statement, and `reserve` until the scope closes. */
export interface Pool {
  readonly use: SqlConnection.Borrower
  readonly reserve: Effect.Effect<SqlConnection.Connection, SqlError.SqlError, Scope.Scope>
}

const key = "connection"

const waits = Metric.counter("database_connection_wait_seconds_total", {
  description: "Time that statements and transactions waited for a connection of this process, by lane",
  incremental: true
})

/**
 * Limits the connections of a pool that are in use at a time. They are lent in the order of the requests. Waits are counted under the name of
 * the lane.
 */
export const limitConnections = Effect.fnUntraced(function* (lane: string, permits: number, pool: Pool) {
  const semaphore = yield* PartitionedSemaphore.make<typeof key>({ permits })
  const waitsOfLane = Metric.withAttributes(waits, { lane })
  const count = (since: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => Metric.update(waitsOfLane, (now - since) / 1000))

  const take = semaphore.take(key, 1)
  const release = semaphore.release(1)
  const waitAndTake = Effect.flatMap(Clock.currentTimeMillis, (start) => Effect.ensuring(take, count(start)))
  const takeInTurn = Effect.flatMap(semaphore.available, (free) => (free > 0 ? take : waitAndTake))
  // Transactions begin in an uninterruptible region. An interrupted fiber must stop waiting.
  const permit = Effect.acquireRelease(Effect.interruptible(takeInTurn), () => release)
  const limited: Pool = {
    use: (f) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(restore(takeInTurn), Effect.ensuring(restore(pool.use(f)), release))
      ),
    reserve: Effect.andThen(permit, pool.reserve)
  }
  return limited
})

/** Makes a pool that lends connections first come, first served. The driver's pool lets a waiting fiber starve. */
export const makePool = Effect.fnUntraced(function* (
  lane: string,
  config: PgPool.Config & { readonly maxConnections: number }
) {
  const pool = yield* PgPool.make(config)
  return yield* limitConnections(lane, config.maxConnections, {
    use: (f) => pool.use((session) => f(new PgSqlConnection(session))),
    reserve: Effect.map(pool.reserve, (session) => new PgSqlConnection(session))
  })
})
