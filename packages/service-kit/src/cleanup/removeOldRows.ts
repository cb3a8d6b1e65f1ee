import { DateTime, type Duration, Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { affected } from "../sql/rows.ts"

/** Rows that nobody needs any more when they are of an age: `isOld` is the condition on a row of the table. */
export interface OldRows {
  readonly table: string
  readonly age: Duration.Input
  readonly isOld: (sql: SqlClient.SqlClient, before: Date) => Statement.Fragment
}

const batch = 1000

/** Removes old rows of any organization, a bounded number in one statement, until there are none. */
export const removeOldRows = Effect.fn("removeOldRows")(function* (kinds: ReadonlyArray<OldRows>) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  for (const { age, isOld, table } of kinds) {
    const old = isOld(sql, DateTime.toDateUtc(DateTime.subtractDuration(now, age)))
    // Looked at once more while it is removed, for a row that was renewed in between stays.
    const remove = affected(sql`
      DELETE FROM ${sql(table)} WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM ${sql(table)} WHERE ${old} LIMIT ${batch}
      )) AND ${old}
      RETURNING true
    `)
    yield* Effect.repeat(remove, { while: (removed) => removed === batch })
  }
})
