import { Array as Arr, DateTime, type Duration, Effect, Order, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsOf } from "../sql/rows.ts"

/** Rows that nobody needs any more when a time of theirs is of an age. */
export interface OldRows {
  readonly table: string
  /** The column of that time. An index begins with it, or it is the next of an index after the columns of `only`. */
  readonly since: string
  readonly age: Duration.Input
  /** Only the rows that have these values. */
  readonly only?: Readonly<Record<string, string>>
  /** How many are removed by one statement: fewer than usual where much hangs on a row. */
  readonly batch?: number
}

const removals = rowsOf(Schema.Struct({ time: Schema.Date }))
const latest = Arr.max(Order.Date)

/**
 * Removes old rows of any organization, a bounded number in one statement, until there are none but those in use. They are
 * read in the order of their index, so that nothing is read where nothing is old, whatever the planner believes; each
 * statement begins where the one before ended, so that none reads again what is removed but not yet vacuumed.
 */
export const removeOldRows = Effect.fn("removeOldRows")(function* (kinds: ReadonlyArray<OldRows>) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  for (const { age, batch = 1000, only = {}, since, table } of kinds) {
    const before = DateTime.toDateUtc(DateTime.subtractDuration(now, age))
    const isChosen = Object.entries(only).map(([column, value]) => sql`${sql(column)} = ${value}`)
    // Locked while they are looked for, so that none of them is renewed until it is removed.
    const removeFrom = (from: Date) =>
      removals.all(sql`
        DELETE FROM ${sql(table)} WHERE ctid = ANY (ARRAY (
          SELECT ctid FROM ${sql(table)}
          WHERE ${sql.and([...isChosen, sql`${sql(since)} BETWEEN ${from} AND ${before}`])}
          ORDER BY ${sql(since)} LIMIT ${batch}
          FOR UPDATE SKIP LOCKED
        ))
        RETURNING ${sql(since)} AS time
      `)
    let times = yield* removeFrom(new Date(0))
    while (Arr.isReadonlyArrayNonEmpty(times) && times.length === batch) {
      times = yield* removeFrom(latest(Arr.map(times, ({ time }) => time)))
    }
  }
})
