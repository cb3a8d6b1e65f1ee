import { monthAfter, monthOf } from "@care/domain/audit/AuditMonth"
import { Clock, Effect, Metric, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { execute, rowsOf } from "./rows.ts"

const monthsAhead = 2

/** Returns the present month and the next two, which need partitions. */
export const neededMonths = Effect.map(Clock.currentTimeMillis, (now) => {
  const current = monthOf(new Date(now))
  return Array.from({ length: monthsAhead + 1 }, (_, index) => monthAfter(current, index))
})

/**
 * Runs statements that add or drop partitions of months. Each runs also after one that failed, such as that of a month that has rows in the
 * default partition.
 */
export const changePartitions = Effect.fnUntraced(function* (statements: ReadonlyArray<Statement.Statement<unknown>>) {
  const exits = yield* Effect.forEach(statements, (statement) => Effect.exit(execute(statement)))
  yield* Effect.all(exits, { discard: true })
})

const rowsWithoutMonth = Metric.gauge("default_partition_rows", {
  description: "Rows of months that had no partition; more than 1,000 of a table are not counted"
})

const counts = rowsOf(Schema.Struct({ count: Schema.Int }))

/** Makes the effect that updates the gauge of the rows in a table's default partition. */
export const makeDefaultPartitionGauge = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  const gauge = Metric.withAttributes(rowsWithoutMonth, { table })
  const count = counts.one(
    sql`SELECT count(*)::int AS count FROM (SELECT FROM ${sql(`${table}_default`)} LIMIT 1000) AS rows`
  )
  return Effect.flatMap(count, (row) => Metric.update(gauge, row.count))
})
