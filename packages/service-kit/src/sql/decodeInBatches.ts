import { Effect, Schema } from "effect"
import { decodeDirectly } from "../fast/decodeDirectly.ts"

/** How many rows are decoded in one turn: a few milliseconds of work, also for large rows. */
const rowsPerTurn = 10

/** Decodes rows a few at a time, so that other fibers run in between. */
export const decodeInBatches = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = decodeDirectly(Schema.Array(row))
  const decodeMany = Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>) {
    const decoded: Array<A> = []
    for (let at = 0; at < rows.length; at += rowsPerTurn) {
      if (at > 0) yield* Effect.yieldNow
      decoded.push(...(yield* decode(rows.slice(at, at + rowsPerTurn))))
    }
    return decoded
  })
  return (rows: ReadonlyArray<unknown>) => (rows.length <= rowsPerTurn ? decode(rows) : decodeMany(rows))
}
