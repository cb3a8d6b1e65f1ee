import { Cause, Config, Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { BootError } from "../config/BootError.ts"
import { databaseUrl, secret, secretSetting } from "../config/secrets.ts"
import { booleanSetting, countSetting, readSettings, setting } from "../config/settings.ts"
import { databaseUnreachable } from "./databaseFailure.ts"
import { inBackground } from "./Lane.ts"
import { makeClient } from "./makeClient.ts"
import { limitConnections, makePool } from "./makePool.ts"
import { type MigrationTarget, migrate, requireMigrated } from "./migrate.ts"
import { type Pooler, poolerSetting, refuseWrongPooler } from "./pooler.ts"
import { readDatabaseUrlSetting, withStandby } from "./standby.ts"
import { withAfterCommit } from "./transactions.ts"

/** The schema of a service, and the numbers of its connections for requests and for background work. */
interface PoolOptions extends Pick<MigrationTarget, "url" | "schema"> {
  readonly connections: number
  readonly backgroundConnections: number
  /** `session` by default. */
  readonly pooler?: Pooler
  /** The URL of a standby, from which some slow reads come. */
  readonly readUrl?: Redacted.Redacted | undefined
}

// The time limit of a statement of a request.
const requestSeconds = 10

/**
 * Provides the SQL client of a service on its migrated schema. Slow reads have a quarter of the connections for requests, and jobs have all
 * background connections but one. Connecting may take 5 s, a statement 10 s, or 60 s in the background, and a transaction may be idle 15 s.
 * Behind a pooler, where a session has no settings, the role brings the schema and the limits, of which one is for all statements.
 */
export const layerPool = ({
  backgroundConnections,
  connections,
  pooler = "session",
  readUrl,
  schema,
  url
}: PoolOptions) => {
  const limitsOf = (statementSeconds: number) => ({
    search_path: schema,
    statement_timeout: `${statementSeconds}s`,
    idle_in_transaction_session_timeout: "15s"
  })
  const pool = (lane: string, maxConnections: number, statementSeconds: number, poolUrl = url) =>
    makePool(lane, {
      url: poolUrl,
      maxConnections,
      minConnections: 1,
      connectTimeout: "5 seconds",
      applicationName: `care-${schema}`,
      prepare: pooler !== "transaction-unprepared",
      startupParameters: { TimeZone: "UTC", ...(pooler === "session" && limitsOf(statementSeconds)) }
    })
  return Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const requests = yield* pool("requests", connections, requestSeconds)
      const background = yield* pool("background", backgroundConnections, 60)
      const slowConnections = Math.max(1, Math.floor(connections / 4))
      const slowOnPrimary = yield* limitConnections("slow_reads", slowConnections, requests)
      const slowReads =
        readUrl === undefined
          ? slowOnPrimary
          : withStandby(slowOnPrimary, yield* pool("standby", slowConnections, requestSeconds, readUrl))
      const jobs = yield* limitConnections("jobs", Math.max(1, backgroundConnections - 1), background)
      const sql = yield* makeClient({ requests, slowReads, background, jobs })
      // The pools connect at their first use. This makes an unreachable database an error at boot.
      yield* Effect.all([sql`SELECT 1`, inBackground(sql`SELECT 1`)])
      yield* refuseWrongPooler(sql, { pooler, schema, url, statementSeconds: requestSeconds })
      return withAfterCommit(sql)
    }).pipe(
      Effect.catchCause((cause) => {
        const failure = Cause.squash(cause)
        return Effect.fail(failure instanceof BootError ? failure : databaseUnreachable(url, cause))
      })
    )
  ).pipe(Layer.provide(Reactivity.layer))
}

/** With these, two instances of every service fit into PostgreSQL's 100 connections. */
export const defaultConnections = { connections: 8, backgroundConnections: 3 }

const databaseUrlSetting = secretSetting(
  "DATABASE_URL",
  "the URL of a PostgreSQL 15 or newer, postgresql://user:password@host/database",
  "the database, PostgreSQL 15 or newer: `postgresql://user:password@host/database`. Under `start` the embedded one is used if it is not set"
)

const counts = {
  connections: setting(
    countSetting,
    "DATABASE_CONNECTIONS",
    defaultConnections.connections,
    "the number of connections of a service for requests. Each statement or transaction uses one, first come, first served"
  ),
  backgroundConnections: setting(
    countSetting,
    "DATABASE_BACKGROUND_CONNECTIONS",
    defaultConnections.backgroundConnections,
    "the number of connections of a service for background work: jobs, clean-ups, metrics"
  )
}

const migratesAtStart = setting(
  booleanSetting,
  "MIGRATE_AT_START",
  true,
  "whether a service runs its missing migrations when it starts. With `false` it does not start while some are missing: `pnpm migrate` runs them"
)

export const databaseSettings = [
  databaseUrlSetting,
  ...Object.values(counts),
  poolerSetting,
  readDatabaseUrlSetting,
  migratesAtStart
]

/**
 * Migrates the schema of a service at `DATABASE_URL`, or refuses it with `MIGRATE_AT_START=false` unless it has all migrations. Provides its
 * SQL client.
 */
export const layerDatabase = (options: Pick<MigrationTarget, "schema" | "migrations">) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* secret(databaseUrlSetting, databaseUrl)
      const pool = yield* readSettings(
        Config.all({ ...counts, pooler: poolerSetting, readUrl: readDatabaseUrlSetting })
      )
      const shouldMigrate = yield* readSettings(migratesAtStart)
      yield* (shouldMigrate ? migrate : requireMigrated)({ ...options, url })
      return layerPool({ schema: options.schema, url, ...pool })
    })
  )
