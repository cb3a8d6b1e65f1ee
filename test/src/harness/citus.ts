import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

const distribution = readFileSync(join(import.meta.dirname, "../../../deploy/citus/distribute.sql"), "utf8")

/** Returns the addresses of the workers of a Citus cluster whose coordinator is connected, or none on a plain PostgreSQL. */
export const workersOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [citus] = yield* sql`SELECT FROM pg_extension WHERE extname = 'citus'`
  if (citus === undefined) return []
  return yield* sql<{ name: string; port: number }>`
    SELECT nodename AS name, nodeport AS port FROM pg_dist_node WHERE groupid > 0 ORDER BY groupid
  `
})

/** Makes a cluster of a database that is on all nodes, as seen from its coordinator. Citus is in it already. */
export const joinWorkers = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  coordinator: URL,
  workers: Effect.Success<ReturnType<typeof workersOf>>
) {
  yield* sql`SELECT citus_set_coordinator_host(${coordinator.hostname}, ${Number(coordinator.port)}::integer)`
  for (const { name, port } of workers) yield* sql`SELECT citus_add_node(${name}, ${port}::integer)`
})

/** Moves the services' schemas to the workers, as an operator does after the migrations. */
export const distribute = (sql: SqlClient.SqlClient) => sql.unsafe(distribution)
