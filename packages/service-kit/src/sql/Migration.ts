import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

export type Change = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

/** A migration that PostgreSQL refuses inside a transaction. It may be killed between its statements, and is run again then. */
export class OutsideTransaction {
  readonly change: Change

  constructor(change: Change) {
    this.change = change
  }
}

export type Migration = Change | OutsideTransaction

/**
 * Makes a migration that adds an index to a large table without blocking writers. It builds an invalid index of a killed build again.
 *
 * ```ts
 * export default concurrentIndex("comments_newest", "comments (organization_id, case_id, created_at DESC)")
 * ```
 */
export const concurrentIndex = (name: string, definition: string): OutsideTransaction =>
  new OutsideTransaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [existing] = yield* sql<{ isValid: boolean }>`
        SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass(quote_ident(${name}))
      `
      if (existing?.isValid === true) return
      if (existing !== undefined) yield* sql`DROP INDEX CONCURRENTLY ${sql(name)}`
      yield* sql`CREATE INDEX CONCURRENTLY ${sql(name)} ON ${sql.literal(definition)}`
    })
  )
