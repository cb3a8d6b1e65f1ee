import { Effect, Schema } from "effect"
import { decodeDirectly } from "../fast/decodeDirectly.ts"

/** How many rows are decoded at a stretch: a few milliseconds of work, also when some have a great deal in them. */
const rowsATurn = 10

/** Decodes rows a few at a time, however many there are, so that others get their turn in between. */
export const decodeInBatches = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = decodeDirectly(Schema.Array(row))
  const inTurns = Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>) {
    const decoded: Array<A> = []
    for (let at = 0; at < rows.length; at += rowsATurn) {
      if (at > 0) yield* Effect.yieldNow
      decoded.push(...(yield* decode(rows.slice(at, at + rowsATurn))))
    }
    return decoded
  })
  return (rows: ReadonlyArray<unknown>) => (rows.length <= rowsATurn ? decode(rows) : inTurns(rows))
}
