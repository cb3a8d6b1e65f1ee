import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Pool, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Makes a pool of SQL clients that are connected as the database's owner, each with its own connection. Clients are reused, because a new
 * connection costs more than most statements.
 */
export const makeOwners = (databaseUrl: string) =>
  Pool.makeWithTTL({
    acquire: Effect.map(
      Layer.build(PgClient.layer({ url: Redacted.make(databaseUrl), maxConnections: 1 })),
      (context) => Context.get(context, SqlClient.SqlClient)
    ),
    min: 0,
    max: 20,
    timeToLive: "30 seconds"
  })
