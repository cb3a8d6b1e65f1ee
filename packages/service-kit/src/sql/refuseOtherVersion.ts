import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { BootError, otherVersionExitCode } from "../config/BootError.ts"

interface Stored {
  readonly id: number
  readonly name: string
}

const storedMigrations = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql`SELECT FROM pg_tables WHERE schemaname = ${schema} AND tablename = 'migrations'`
  if (table === undefined) return []
  const rows = yield* sql<Stored>`SELECT migration_id AS id, name FROM ${sql(schema)}.migrations ORDER BY migration_id`
  return rows.map(({ id, name }) => `${String(id).padStart(4, "0")}_${name}`)
})

/**
 * Refuses a schema of another version: its migrations have to be the first of the known ones. Returns how many of them it has.
 */
export const refuseOtherVersion = Effect.fnUntraced(function* (
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
