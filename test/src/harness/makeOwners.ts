import type { ServiceName } from "@care/domain/peers"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Pool, Record, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const makePool = (databaseUrl: string) =>
  Pool.makeWithTTL({
    acquire: Effect.map(
      Layer.build(PgClient.layer({ url: Redacted.make(databaseUrl), maxConnections: 1 })),
      (context) => Context.get(context, SqlClient.SqlClient)
    ),
    min: 0,
    max: 20,
    timeToLive: "30 seconds"
  })

/**
 * Makes a pool of SQL clients for each service that are connected as the owner of its database, each with its own connection. Clients are
 * reused, because a new connection costs more than most statements.
 */
export const makeOwners = (databaseUrls: Readonly<Record<ServiceName, string>>) =>
  Effect.all(Record.map(databaseUrls, makePool))
