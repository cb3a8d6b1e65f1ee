import type { Page } from "@care/service-kit"
import { Schema } from "effect"

/** The field of a row that has the number of rows before the page was cut. */
export const candidates = { candidates: Schema.Int }

/** About how many cases the lists on one page may name. */
export const maxShownAPage = 10_000

/** Returns the page of rows. Those beyond the limit, or beyond the cases that a page may name, belong to the next one. */
export const cutPage = <Row extends { readonly candidates: number }, Position>(
  rows: ReadonlyArray<Row>,
  limit: number,
  positionOf: (row: Row) => Position
): Page<Row, Position> => {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: last !== undefined && last.candidates > data.length ? positionOf(last) : null }
}
