import { PgClient } from "@effect/sql-pg"
import { Cause, Effect, type Redacted } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { BootError } from "../config/BootError.ts"
import { databaseUnreachable } from "./databaseUnreachable.ts"
import { refuseOtherVersion } from "./refuseOtherVersion.ts"

/** The migrations of a service by file name (`0001_create_cases`), forward only. */
export type Migrations = Readonly<Record<string, Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>>>

/** Where to migrate: the service's own PostgreSQL schema, created when it is missing. */
export interface MigrationTarget {
  readonly url: Redacted.Redacted
  readonly schema: string
  readonly migrations: Migrations
}

// CREATE SCHEMA IF NOT EXISTS needs the right to create schemas even where there is nothing to create, and fails when
// two instances race; so look first, and let an advisory lock order the instances.
const ensureSchema = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(hashtext(${`care schema ${schema}`}))`
      const [found] = yield* sql<{ found: boolean }>`SELECT to_regnamespace(${schema}) IS NOT NULL AS found`
      if (found?.found !== true) yield* sql`CREATE SCHEMA ${sql(schema)}`
    })
  )
})

/**
 * Brings the schema of a service up to date; one that another version made is refused, and left as it is. Safe when
 * several instances start at once: the migrator locks its table. It has a connection of its own, without the statement
 * timeout of the service.
 */
export const migrate = ({ migrations, schema, url }: MigrationTarget): Effect.Effect<void, BootError> =>
  Effect.gen(function* () {
    yield* refuseOtherVersion(schema, Object.keys(migrations).sort())
    yield* ensureSchema(schema)
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" })
  }).pipe(
    Effect.provide(
      PgClient.layer({
        url,
        maxConnections: 1,
        connectTimeout: "5 seconds",
        applicationName: `care-${schema}-migrations`,
        startupParameters: { search_path: schema }
      })
    ),
    Effect.catchCause((cause) => {
      const failure = Cause.squash(cause)
      return Effect.fail(failure instanceof BootError ? failure : databaseUnreachable(url, cause))
    })
  )
