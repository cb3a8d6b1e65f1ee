import type { PagePosition } from "@care/domain/http"

/** A page of a list, as in the admin API. `nextCursor` is the cursor of the next page. */
export interface Page<Item, Position = PagePosition> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: Position | null
}

/** The position before a list that is read oldest first. */
export const oldest: PagePosition = { createdAt: new Date("0001-01-01"), id: "00000000-0000-0000-0000-000000000000" }

/** The position before a list that is read newest first. */
export const newest: PagePosition = {
  createdAt: new Date("9999-12-31T23:59:59.999Z"),
  id: "ffffffff-ffff-ffff-ffff-ffffffffffff"
}

/** Makes a page of up to `limit + 1` rows. One row more than `limit` means that there is a next page. */
export const pageBy = <Row, Position>(
  rows: ReadonlyArray<Row>,
  limit: number,
  positionOf: (row: Row) => Position
): Page<Row, Position> => {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last !== undefined ? positionOf(last) : null }
}

export const pageFrom = <Row extends PagePosition>(rows: ReadonlyArray<Row>, limit: number): Page<Row> =>
  pageBy(rows, limit, ({ createdAt, id }) => ({ createdAt, id }))
