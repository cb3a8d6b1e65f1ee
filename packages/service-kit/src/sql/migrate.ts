import { PgClient } from "@effect/sql-pg"
import { Cause, Effect, type Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { BootError } from "../config/BootError.ts"
import { safeCause } from "../telemetry/safeCause.ts"
import { databaseUnreachable } from "./databaseUnreachable.ts"
import { type Migration, OutsideTransaction } from "./Migration.ts"
import { refuseOtherVersion } from "./refuseOtherVersion.ts"

/** The migrations of a service by file name (`0001_create_cases`), forward only. */
export type Migrations = Readonly<Record<string, Migration>>

/** Where to migrate: the service's own PostgreSQL schema, created when it is missing. */
export interface MigrationTarget {
  readonly url: Redacted.Redacted
  readonly schema: string
  readonly migrations: Migrations
}

// CREATE SCHEMA IF NOT EXISTS needs the right to create schemas even where there is nothing to create, so look first.
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

// It is asked for again and again, and not waited for: an index that is built concurrently waits for every statement that
// began before, and would wait for the one that waits for it.
const takeTurn = Effect.fnUntraced(function* (schema: string) {
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
      // Without the words of the database, which quote rows: those are in its own log.
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
 * Brings the schema of a service up to date; one that another version made is refused, and left as it is. Each migration
 * commits on its own, so that one which fails or is killed leaves those before it, and the next start goes on. Instances
 * that start at once take turns. It has a connection of its own, on which nothing times out.
 */
export const migrate = ({ migrations, schema, url }: MigrationTarget): Effect.Effect<void, BootError> =>
  Effect.gen(function* () {
    yield* takeTurn(schema)
    const known = Object.entries(migrations).sort(([one], [other]) => (one < other ? -1 : 1))
    const done = yield* refuseOtherVersion(
      schema,
      known.map(([file]) => file)
    )
    yield* ensureTable(schema)
    for (const [file, migration] of known.slice(done)) yield* run(schema, file, migration)
  }).pipe(
    Effect.provide(
      // One session and no pool, because the turn is the session's.
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
