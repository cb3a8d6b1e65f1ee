import { Array as Arr, DateTime, type Duration, Effect, Order, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeJoinByIndex } from "../sql/joinByIndex.ts"
import { rowsOf } from "../sql/rows.ts"
import { inTransaction } from "../sql/transactions.ts"

/** Rows that are deleted when a time in them reaches an age. */
export interface OldRows {
  readonly table: string
  /** The columns of its primary key. */
  readonly key: ReadonlyArray<string>
  /** The column of that time. It is the first column of an index, or the first after the columns of `only`. */
  readonly since: string
  readonly age: Duration.Input
  /** Limits the rows to those with these values of columns. */
  readonly only?: Readonly<Record<string, string>>
  /** How many rows one statement deletes. Lower it if much else is deleted with each row. */
  readonly batch?: number
}

const removals = rowsOf(Schema.Struct({ time: Schema.Date }))
const latest = Arr.max(Order.Date)

/**
 * Deletes old rows of all organizations, a bounded number in each statement, in the order of their index, and skips locked rows. Each
 * statement begins where the one before ended, so that none reads deleted rows again that are not vacuumed yet.
 */
export const removeOldRows = Effect.fn("removeOldRows")(function* (kinds: ReadonlyArray<OldRows>) {
  const sql = yield* SqlClient.SqlClient
  const joinByIndex = yield* makeJoinByIndex
  const now = yield* DateTime.now
  for (const { age, batch = 1000, key, only = {}, since, table } of kinds) {
    const before = DateTime.toDateUtc(DateTime.subtractDuration(now, age))
    const conditions = Object.entries(only).map(([column, value]) => sql`${sql(column)} = ${value}`)
    const isFound = sql.and(key.map((column) => sql`${sql(table)}.${sql(column)} = old.${sql(column)}`))
    // Locks the rows that it finds, so that none is renewed before it is deleted.
    const removeFrom = (from: Date) =>
      Effect.andThen(
        joinByIndex,
        removals.all(
          sql`
            DELETE FROM ${sql(table)} USING (
              SELECT ${sql.csv(key.map((column) => sql`${sql(column)}`))} FROM ${sql(table)}
              WHERE ${sql.and([...conditions, sql`${sql(since)} BETWEEN ${from} AND ${before}`])}
              ORDER BY ${sql(since)} LIMIT ${batch}
              FOR UPDATE SKIP LOCKED
            ) AS old
            WHERE ${isFound}
            RETURNING ${sql(table)}.${sql(since)} AS time
          `.unprepared
        )
      ).pipe(inTransaction(sql))
    let times = yield* removeFrom(new Date(0))
    while (Arr.isReadonlyArrayNonEmpty(times) && times.length === batch) {
      times = yield* removeFrom(latest(Arr.map(times, ({ time }) => time)))
    }
  }
})
