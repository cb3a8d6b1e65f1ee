import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerPool } from "../sql/layerDatabase.ts"
import { makeTestDatabase } from "./layerTestDatabase.ts"
import { until } from "./until.ts"

const build = <R, E>(layer: Layer.Layer<SqlClient.SqlClient | R, E>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, SqlClient.SqlClient))

/** Makes the client of a service with a number of connections of each kind, and functions that keep some of them busy. */
export const makePools = Effect.fnUntraced(function* (connections: number) {
  const { url, urls } = yield* makeTestDatabase
  const service = { url: Redacted.make(urls.cases), schema: "cases" }
  const sql = yield* build(layerPool({ ...service, connections, backgroundConnections: connections }))
  const superuser = yield* build(PgClient.layerFrom(PgClient.makeClient({ url: Redacted.make(url) })))
  const waiting = superuser`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`

  return {
    sql,
    /** A statement that ends when `whileSlow` does. */
    slow: sql`SELECT pg_advisory_xact_lock_shared(7)`,
    /** Runs an effect while all the others wait in their slow statement. */
    whileSlow: Effect.fnUntraced(function* <A, E, E2>(
      others: ReadonlyArray<Effect.Effect<unknown, E>>,
      effect: Effect.Effect<A, E2>
    ) {
      yield* superuser`SELECT pg_advisory_lock(7)`
      const running = yield* Effect.forEach(others, (other) => Effect.forkChild(other))
      yield* until(waiting, ({ length }) => length === others.length)
      const result = yield* effect
      yield* superuser`SELECT pg_advisory_unlock(7)`
      yield* Fiber.joinAll(running)
      return result
    })
  }
})
