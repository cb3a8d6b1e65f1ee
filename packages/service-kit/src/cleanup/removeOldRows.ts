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

/** Removes old rows of any organization, a bounded number in one statement, until there are none but those in use. */
export const removeOldRows = Effect.fn("removeOldRows")(function* (kinds: ReadonlyArray<OldRows>) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  for (const { age, isOld, table } of kinds) {
    const before = DateTime.toDateUtc(DateTime.subtractDuration(now, age))
    // Locked while they are looked for, so that none of them is renewed until it is removed.
    const remove = affected(sql`
      DELETE FROM ${sql(table)} WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM ${sql(table)} WHERE ${isOld(sql, before)} LIMIT ${batch} FOR UPDATE SKIP LOCKED
      ))
      RETURNING true
    `)
    yield* Effect.repeat(remove, { while: (removed) => removed === batch })
  }
})
