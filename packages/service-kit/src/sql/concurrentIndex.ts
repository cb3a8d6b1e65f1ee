import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { OutsideTransaction } from "./Migration.ts"

/**
 * Makes a migration that adds an index to a table which may be large, and written to meanwhile. An index that a killed build left
 * behind is built again.
 *
 * ```ts
 * export default concurrentIndex("comments_newest", "comments (organization_id, case_id, created_at DESC)")
 * ```
 */
export const concurrentIndex = (name: string, definition: string): OutsideTransaction =>
  new OutsideTransaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [left] = yield* sql<{ isValid: boolean }>`
        SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass(quote_ident(${name}))
      `
      if (left?.isValid === true) return
      if (left !== undefined) yield* sql`DROP INDEX CONCURRENTLY ${sql(name)}`
      yield* sql`CREATE INDEX CONCURRENTLY ${sql(name)} ON ${sql.literal(definition)}`
    })
  )
