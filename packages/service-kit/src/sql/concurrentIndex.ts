import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { OutsideTransaction } from "./Migration.ts"

const concurrent = (name: string, definition: string, kind: "INDEX" | "UNIQUE INDEX"): OutsideTransaction =>
  new OutsideTransaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [left] = yield* sql<{ isValid: boolean }>`
        SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass(quote_ident(${name}))
      `
      if (left?.isValid === true) return
      if (left !== undefined) yield* sql`DROP INDEX CONCURRENTLY ${sql(name)}`
      yield* sql`CREATE ${sql.literal(kind)} CONCURRENTLY ${sql(name)} ON ${sql.literal(definition)}`
    })
  )

/**
 * A migration that adds an index to a table which may be large, and written to meanwhile. What was left of a build that was
 * killed is built anew.
 *
 * ```ts
 * export default concurrentIndex("comments_newest", "comments (organization_id, case_id, created_at DESC)")
 * ```
 */
export const concurrentIndex = (name: string, definition: string): OutsideTransaction =>
  concurrent(name, definition, "INDEX")

/** The same of a unique index. The build fails, and is tried again at the next start, where the table breaks it. */
export const concurrentUniqueIndex = (name: string, definition: string): OutsideTransaction =>
  concurrent(name, definition, "UNIQUE INDEX")
