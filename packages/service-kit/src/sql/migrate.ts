import { PgClient } from "@effect/sql-pg"
import { Cause, Effect, type Redacted, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { BootError, otherVersionExitCode } from "../config/BootError.ts"
import { safeCause } from "../telemetry/safeCause.ts"
import { databaseUnreachable } from "./databaseFailure.ts"
import { type Migration, OutsideTransaction } from "./Migration.ts"

const storedMigrations = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql`SELECT FROM pg_tables WHERE schemaname = ${schema} AND tablename = 'migrations'`
  if (table === undefined) return []
  const rows = yield* sql<{
    id: number
    name: string
  }>`SELECT migration_id AS id, name FROM ${sql(schema)}.migrations ORDER BY migration_id`
  return rows.map(({ id, name }) => `${String(id).padStart(4, "0")}_${name}`)
})

// Refuses a schema unless its migrations are the first of the known ones. Returns how many it has.
const refuseOtherVersion = Effect.fnUntraced(function* (
  schema: string,
  known: ReadonlyArray<string>
): Effect.fn.Return<number, BootError | SqlError.SqlError, SqlClient.SqlClient> {
  const stored = yield* storedMigrations(schema)
  const unknown = stored.find((name, index) => name !== known[index])
  if (unknown !== undefined) {
    return yield* new BootError({
      message: `The schema ${schema} was made by another version, whose migration ${unknown} this one does not know: run that version, drop the schemas of all services, or set DATABASE_URL to another database.`,
      exitCode: otherVersionExitCode
    })
  }
  return stored.length
})

/** The migrations of a service by file name (`0001_create_cases`), forward only. */
export type Migrations = Readonly<Record<string, Migration>>

/** The PostgreSQL schema of a service, and its migrations. The schema is created if it is missing. */
export interface MigrationTarget {
  readonly url: Redacted.Redacted
  readonly schema: string
  readonly migrations: Migrations
}

// Not CREATE SCHEMA IF NOT EXISTS, which requires the right to create schemas also if the schema exists.
const ensureTable = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ found: boolean }>`SELECT to_regnamespace(${schema}) IS NOT NULL AS found`
  if (found?.found !== true) yield* sql`CREATE SCHEMA ${sql(schema)}`
  yield* sql`
    CREATE TABLE IF NOT EXISTS migrations (
      migration_id integer PRIMARY KEY,
      created_at timestamptz NOT NULL DEFAULT now(),
      name text NOT NULL
    )
  `
})

// Polls for the lock. A waiting statement would block the concurrent build of an index in another instance, which waits for all earlier
// statements.
const lock = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql<{ taken: boolean }>`SELECT pg_try_advisory_lock(hashtext(${`care schema ${schema}`})) AS taken`.pipe(
    Effect.repeat({ until: ([row]) => row?.taken === true, schedule: Schedule.spaced("100 millis") })
  )
})

const run = Effect.fnUntraced(function* (schema: string, file: string, migration: Migration) {
  const sql = yield* SqlClient.SqlClient
  const [, id, name] = /^(\d+)_(.+)$/.exec(file) ?? []
  const record = sql`INSERT INTO migrations (migration_id, name) VALUES (${Number(id)}, ${name})`
  const steps =
    migration instanceof OutsideTransaction
      ? Effect.andThen(migration.change, record)
      : sql.withTransaction(Effect.andThen(migration, record))
  yield* steps.pipe(
    Effect.catchCause((cause) => {
      // Without the message of the database, which may quote rows, and is in its own log.
      const [kind] = safeCause(cause).split("\n")
      return Effect.fail(
        new BootError({
          message: `The migration ${file} of the schema ${schema} failed (${kind}; see the log of PostgreSQL): mend its cause and start again; those before it are done.`
        })
      )
    })
  )
})

/**
 * Brings the schema of a service up to date, and refuses a schema of another version. Each migration commits alone, so that the next start
 * continues after one that failed or was killed. Parallel instances run one after the other. The connection has no timeouts.
 */
export const migrate = ({ migrations, schema, url }: MigrationTarget): Effect.Effect<void, BootError> =>
  Effect.gen(function* () {
    yield* lock(schema)
    const known = Object.entries(migrations).sort(([a], [b]) => (a < b ? -1 : 1))
    const done = yield* refuseOtherVersion(
      schema,
      known.map(([file]) => file)
    )
    yield* ensureTable(schema)
    for (const [file, migration] of known.slice(done)) yield* run(schema, file, migration)
  }).pipe(
    Effect.provide(
      // One session and no pool, because the session holds the lock.
      PgClient.layerFrom(
        PgClient.makeClient({
          url,
          connectTimeout: "5 seconds",
          applicationName: `care-${schema}-migrations`,
          startupParameters: {
            search_path: schema,
            statement_timeout: "0",
            lock_timeout: "0",
            idle_in_transaction_session_timeout: "0",
            idle_session_timeout: "0"
          }
        })
      )
    ),
    Effect.catchCause((cause) => {
      const failure = Cause.squash(cause)
      return Effect.fail(failure instanceof BootError ? failure : databaseUnreachable(url, cause))
    })
  )
