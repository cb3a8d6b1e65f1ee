import { Config, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { countSetting, databaseUrlSetting, readSettings, secret, secretSetting, setting } from "../config/settings.ts"
import { withAfterCommit } from "./afterCommit.ts"
import { databaseUnreachable } from "./databaseUnreachable.ts"
import { inBackground } from "./Lane.ts"
import { makeClient } from "./makeClient.ts"
import { inTurns, makePool } from "./makePool.ts"
import { type MigrationTarget, migrate } from "./migrate.ts"

/** Where the tables of a service are, and how many connections it opens to them: for requests, and for the rest. */
interface PoolOptions extends Pick<MigrationTarget, "url" | "schema"> {
  readonly connections: number
  readonly backgroundConnections: number
}

/**
 * The SQL layer of a service on a schema of its own, which has been migrated. Slow reads have a quarter of the connections of
 * requests, jobs all of the background but one. Every waiting is bounded: connecting 5 s, a statement 10 s, or 60 s in the
 * background, an idle transaction 15 s.
 */
export const layerPool = ({ backgroundConnections, connections, schema, url }: PoolOptions) => {
  const pool = (maxConnections: number, statementSeconds: number) =>
    makePool({
      url,
      maxConnections,
      minConnections: 1,
      connectTimeout: "5 seconds",
      applicationName: `care-${schema}`,
      startupParameters: {
        search_path: schema,
        statement_timeout: `${statementSeconds}s`,
        idle_in_transaction_session_timeout: "15s",
        TimeZone: "UTC"
      }
    })
  return Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const requests = yield* pool(connections, 10)
      const background = yield* pool(backgroundConnections, 60)
      const slowReads = yield* inTurns(Math.max(1, Math.floor(connections / 4)), requests)
      const jobs = yield* inTurns(Math.max(1, backgroundConnections - 1), background)
      const sql = yield* makeClient({ requests, slowReads, background, jobs })
      // The pools connect when they are asked for something, and would tell only then that they cannot.
      yield* Effect.all([sql`SELECT 1`, inBackground(sql`SELECT 1`)])
      return withAfterCommit(sql)
    }).pipe(Effect.catchCause((cause) => Effect.fail(databaseUnreachable(url, cause))))
  ).pipe(Layer.provide(Reactivity.layer))
}

/** Two instances of every service fit PostgreSQL's 100 connections with these. */
export const defaultConnections = { connections: 8, backgroundConnections: 3 }

const databaseUrl = secretSetting(
  "DATABASE_URL",
  "the URL of a PostgreSQL 15 or newer, postgresql://user:password@host/database",
  "any PostgreSQL 15 or newer, `postgresql://user:password@host/database`; under `start` the embedded one when it is absent"
)

const counts = {
  connections: setting(
    countSetting,
    "DATABASE_CONNECTIONS",
    defaultConnections.connections,
    "connections that a service has for requests; a statement or transaction takes one, first come, first served"
  ),
  backgroundConnections: setting(
    countSetting,
    "DATABASE_BACKGROUND_CONNECTIONS",
    defaultConnections.backgroundConnections,
    "connections that a service has for what nobody waits for: jobs, clean-ups, metrics"
  )
}

export const databaseSettings = [databaseUrl, ...Object.values(counts)]

/** The SQL layer of a service at `DATABASE_URL`, with its schema brought up to date. */
export const layerDatabase = (options: Pick<MigrationTarget, "schema" | "migrations">) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* secret(databaseUrl, databaseUrlSetting("DATABASE_URL"))
      const connections = yield* readSettings(Config.all(counts))
      yield* migrate({ ...options, url })
      return layerPool({ schema: options.schema, url, ...connections })
    })
  )
