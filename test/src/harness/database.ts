import { Effect, Pool } from "effect"
import type { SqlClient } from "effect/sql"
import { Suite } from "./Suite.ts"
import { until } from "./until.ts"

/** Runs SQL as the owner of the suite's database, for states that cannot be reached through the API. */
export const inDatabase = <A, E, R>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Suite, ({ owners }) => Pool.use(owners, use))

/** Waits until all jobs of a queue are done. */
export const jobsDone = (schema: string, queue: string) =>
  inDatabase((sql) =>
    until(
      sql`SELECT id FROM ${sql(schema)}.jobs WHERE queue_name = ${queue} AND state IN ('pending', 'running')`,
      (jobs) => jobs.length === 0
    )
  )
