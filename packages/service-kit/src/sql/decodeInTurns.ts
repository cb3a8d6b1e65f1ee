import { Effect, Schema } from "effect"

/** How many rows are decoded at a stretch: a few milliseconds of work, also when some have a great deal in them. */
const rowsATurn = 10

/** Decodes rows a few at a time, however many there are, so that others get their turn in between. */
export const decodeInTurns = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  return Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>) {
    if (rows.length <= rowsATurn) return yield* decode(rows)
    const decoded: Array<A> = []
    for (let at = 0; at < rows.length; at += rowsATurn) {
      if (at > 0) yield* Effect.yieldNow
      decoded.push(...(yield* decode(rows.slice(at, at + rowsATurn))))
    }
    return decoded
  })
}
