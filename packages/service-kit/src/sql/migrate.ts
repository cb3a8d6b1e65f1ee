import { PgClient } from "@effect/sql-pg"
import { Cause, Effect, type Redacted, Schedule, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { BootError } from "../config/BootError.ts"
import { safeCause } from "../telemetry/safeCause.ts"
import { databaseUnreachable } from "./databaseFailure.ts"
import { lockingBriefly, type Migration, OutsideTransaction } from "./Migration.ts"
import { recordStatements } from "./recordStatements.ts"
import { suiteVersion } from "./suiteVersion.ts"

/** The migrations of a service by file name (`0001_create_cases`), forward only. */
export type Migrations = Readonly<Record<string, Migration>>

/** The PostgreSQL schema of a service, and its migrations. The schema is created if it is missing. */
export interface MigrationTarget {
  readonly url: Redacted.Redacted
  readonly schema: string
  readonly migrations: Migrations
  /** The variable that the URL is from, by default `DATABASE_URL`. */
  readonly urlVariable?: string
}

const hasTable = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`SELECT FROM pg_tables WHERE schemaname = ${schema} AND tablename = 'migrations'`
  return found.length > 0
})

const storedMigrations = Effect.fnUntraced(function* (schema: string) {
  if (!(yield* hasTable(schema))) return []
  const sql = yield* SqlClient.SqlClient
  // The first databases have no column for the version.
  const rows = yield* sql<{ id: number; name: string; version: number }>`
    SELECT migration_id AS id, name, coalesce((to_jsonb(stored) ->> 'version')::integer, 1) AS version
    FROM ${sql(schema)}.migrations AS stored
    ORDER BY migration_id
  `
  return rows.map(({ id, name, version }) => ({ file: `${String(id).padStart(4, "0")}_${name}`, version }))
})

/**
 * Returns the known migrations that the schema does not have yet. The schema may have more than are known if no version ran them but this
 * one and the next: those of the next one leave everything in place that this one uses. Any other schema is refused.
 */
const pendingMigrations = Effect.fnUntraced(function* (
  { migrations, schema, urlVariable = "DATABASE_URL" }: MigrationTarget,
  version: number
): Effect.fn.Return<ReadonlyArray<readonly [string, Migration]>, BootError | SqlError.SqlError, SqlClient.SqlClient> {
  const known = Object.entries(migrations).sort(([a], [b]) => (a < b ? -1 : 1))
  const stored = yield* storedMigrations(schema)
  for (const [index, [file]] of known.entries()) {
    const found = stored[index]?.file
    if (found !== undefined && found !== file) {
      return yield* new BootError({
        message: `The schema ${schema} was not made by this version (${version}) or the one before or after it: it has the migration ${found} where this version has ${file}. Start the version that made it, or set ${urlVariable} (for the embedded PostgreSQL, CARE_DATA_DIR) to another database.`
      })
    }
  }
  const databaseVersion = Math.max(0, ...stored.slice(known.length).map((row) => row.version))
  if (databaseVersion > version + 1) {
    return yield* new BootError({
      message: `The schema ${schema} has migrations of version ${databaseVersion}, and this is version ${version}, which runs on a database of version ${version + 1} at most. Start version ${databaseVersion - 1} or ${databaseVersion}.`
    })
  }
  return known.slice(stored.length)
})

// It creates what is missing only: "IF NOT EXISTS" requires the right to create also if nothing is missing.
const ensureTable = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ found: boolean }>`SELECT to_regnamespace(${schema}) IS NOT NULL AS found`
  if (found?.found !== true) yield* sql`CREATE SCHEMA ${sql(schema)}`
  if (!(yield* hasTable(schema))) {
    yield* sql`
      CREATE TABLE ${sql(schema)}.migrations (
        migration_id integer PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now(),
        name text NOT NULL
      )
    `
  }
  yield* sql`ALTER TABLE ${sql(schema)}.migrations ADD COLUMN IF NOT EXISTS version integer NOT NULL DEFAULT 1`
})

const run = Effect.fnUntraced(function* (schema: string, file: string, migration: Migration, version: number) {
  const sql = yield* SqlClient.SqlClient
  const [, id, name] = /^(\d+)_(.+)$/.exec(file) ?? []
  const record = sql`
    INSERT INTO ${sql(schema)}.migrations (migration_id, name, version) VALUES (${Number(id)}, ${name}, ${version})
  `
  const steps =
    migration instanceof OutsideTransaction
      ? Effect.andThen(migration.change, record)
      : // The row comes first, so that a second instance waits for it, and fails, even if the first one lost its lock.
        sql.withTransaction(Effect.andThen(record, lockingBriefly(migration)))
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

const runPending = Effect.fnUntraced(function* (target: MigrationTarget, version: number) {
  const pending = yield* pendingMigrations(target, version)
  if (pending.length === 0) return
  yield* ensureTable(target.schema)
  for (const [file, migration] of pending) yield* run(target.schema, file, migration, version)
})

const connect = ({ schema, url }: MigrationTarget, startupParameters: Readonly<Record<string, string>>) =>
  PgClient.makeClient({
    url,
    connectTimeout: "5 seconds",
    applicationName: `care-${schema}-migrations`,
    prepare: false,
    startupParameters
  })

// A pooler refuses these. Only what runs migrations needs them: what looks whether some are missing names the schema itself.
const ofMigrations = (schema: string) => ({
  search_path: schema,
  statement_timeout: "0",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  idle_session_timeout: "0"
})

/** Runs an effect in one session, which is closed at its end. */
const inSession = <A, E>(
  target: MigrationTarget,
  effect: Effect.Effect<A, E, SqlClient.SqlClient | Reactivity.Reactivity | Scope.Scope>,
  startupParameters: Readonly<Record<string, string>> = {}
): Effect.Effect<A, BootError> =>
  effect.pipe(
    Effect.provide(PgClient.layerFrom(connect(target, startupParameters))),
    Effect.provide(Reactivity.layer),
    Effect.scoped,
    Effect.catchCause((cause) => {
      const failure = Cause.squash(cause)
      return Effect.fail(
        failure instanceof BootError ? failure : databaseUnreachable(target.url, cause, target.urlVariable)
      )
    })
  )

/**
 * Runs an effect while no other instance does. A transaction on a connection of its own has the lock, which therefore ends with the process
 * also behind a pooler that keeps sessions. It must have no snapshot, for which a concurrent index build waits: instances poll, each time in
 * a new transaction, because a statement that waits inside PostgreSQL has one.
 */
const locked = Effect.fnUntraced(function* <E, R>(schema: string, effect: Effect.Effect<void, E, R>) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.gen(function* () {
    const [row] = yield* sql<{ taken: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext(${`care schema ${schema}`})) AS taken
    `
    if (row?.taken !== true) return false
    // The statement before keeps its snapshot until another one follows it. This one has none.
    yield* sql`SET LOCAL idle_in_transaction_session_timeout = 0`
    yield* effect
    return true
  }).pipe(sql.withTransaction, Effect.repeat({ until: (isDone) => isDone, schedule: Schedule.spaced("100 millis") }))
})

/**
 * Brings the schema of a service up to date. Each migration commits alone, so that the next start continues after one that failed or was
 * killed. Parallel instances run one after the other. A statement may take any time. If nothing is to be done, it only reads. A schema
 * that the next version migrated is left as it is; one that is two versions ahead is refused.
 */
export const migrate = (target: MigrationTarget, version: number = suiteVersion): Effect.Effect<void, BootError> =>
  inSession(
    target,
    Effect.gen(function* () {
      if ((yield* pendingMigrations(target, version)).length === 0) return
      yield* locked(target.schema, inSession(target, runPending(target, version), ofMigrations(target.schema)))
    })
  )

/** Returns the statements that `migrate` would run, in a session that cannot write. */
export const migrationStatements = (target: MigrationTarget): Effect.Effect<ReadonlyArray<string>, BootError> =>
  inSession(target, recordStatements(runPending(target, suiteVersion)), {
    ...ofMigrations(target.schema),
    default_transaction_read_only: "on"
  })

/** Refuses a schema that `migrate` would change or refuse. It only reads. */
export const requireMigrated = (target: MigrationTarget): Effect.Effect<void, BootError> =>
  inSession(
    target,
    Effect.gen(function* () {
      const [next, ...others] = yield* pendingMigrations(target, suiteVersion)
      if (next === undefined) return
      const count = others.length === 0 ? "migration" : `first of ${others.length + 1} migrations`
      return yield* new BootError({
        message: `The schema ${target.schema} lacks the ${count} ${next[0]}, and MIGRATE_AT_START is false: run pnpm migrate (node migrate.mjs in the image), and start again.`
      })
    })
  )
