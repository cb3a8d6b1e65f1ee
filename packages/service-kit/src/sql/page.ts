import type { PagePosition } from "@care/domain/http"

/** A page of a list, as the admin API answers it: `nextCursor` asks for what follows. */
export interface Page<Item, Position = PagePosition> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: Position | null
}

/** Where a list begins that is read oldest first. */
export const oldest: PagePosition = { createdAt: new Date("0001-01-01"), id: "00000000-0000-0000-0000-000000000000" }

/** Where a list begins that is read newest first. */
export const newest: PagePosition = {
  createdAt: new Date("9999-12-31T23:59:59.999Z"),
  id: "ffffffff-ffff-ffff-ffff-ffffffffffff"
}

/**
 * Cuts `limit + 1` rows to a page: one row more than asked for says that there is a next page. `positionOf` is where a row
 * stands in the list.
 */
export const pageBy = <Row, Position>(
  rows: ReadonlyArray<Row>,
  limit: number,
  positionOf: (row: Row) => Position
): Page<Row, Position> => {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last !== undefined ? positionOf(last) : null }
}

/** A page of rows in the order of their creation. */
export const pageFrom = <Row extends PagePosition>(rows: ReadonlyArray<Row>, limit: number): Page<Row> =>
  pageBy(rows, limit, ({ createdAt, id }) => ({ createdAt, id }))
