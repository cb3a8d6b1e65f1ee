import type { SweepSource, SweptPage } from "@care/service"
import { DateTime, Effect, Option, Schema } from "effect"

const pageSize = 20

// Jobs are retried for three days, the last time up to an hour later.
const retryPeriod = { days: 3, hours: 2 }

const Position = Schema.fromJsonString(Schema.Struct({ since: Schema.Date, id: Schema.String }))
const decodePosition = Schema.decodeUnknownOption(Position)
const encodePosition = Schema.encodeSync(Position)

/** The position of a row in its source. */
export type Position = typeof Position.Type
const start: Position = { since: new Date(0), id: "00000000-0000-0000-0000-000000000000" }

/** Returns the source of rows whose jobs are not retried any more, oldest first. */
export const unfinishedSource = <Row extends Position>(
  name: string,
  rowsAfter: (after: Position, until: Date, limit: number) => Effect.Effect<ReadonlyArray<Row>>,
  compare: (row: Row) => Effect.Effect<SweptPage["differences"]>
): SweepSource => ({
  name,
  page: Effect.fnUntraced(function* (cursor) {
    const after = Option.getOrElse(decodePosition(cursor), () => start)
    const until = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, retryPeriod))
    const rows = yield* rowsAfter(after, until, pageSize)
    const differences = yield* Effect.forEach(rows, compare, { concurrency: 4 })
    const last = rows.at(-1)
    return {
      cursor: last === undefined ? "" : encodePosition(last),
      isLast: last === undefined,
      compared: rows.length,
      differences: differences.flat()
    }
  })
})
