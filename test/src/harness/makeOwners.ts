import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Pool, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Clients of the owner of a database, each with a connection and transactions of its own. They are made when they are needed, and
 * used again, because a new connection costs more than most of what is asked on it.
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
