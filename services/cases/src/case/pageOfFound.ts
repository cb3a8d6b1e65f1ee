import type { PagePosition } from "@care/domain/http"
import type { Page } from "@care/service-kit"

/** A row of a list that is read further than it matches. `isFound`: it matches. `isLast`: the reading ended with it, although there are more. */
interface ExaminedRow extends PagePosition {
  readonly isFound: boolean
  readonly isLast: boolean
}

/** Makes a page of up to `limit + 1` rows. The next page begins where the reading ended, whether or not that row matches. */
export const pageOfFound = <Row extends ExaminedRow>(
  rows: ReadonlyArray<Row>,
  limit: number,
  positionOf: (row: Row) => PagePosition = ({ createdAt, id }) => ({ createdAt, id })
): Page<Row> => {
  const examined = rows.slice(0, limit)
  const last = examined.at(-1)
  const hasMore = last !== undefined && (rows.length > limit || last.isLast)
  return { data: examined.filter(({ isFound }) => isFound), nextCursor: hasMore ? positionOf(last) : null }
}
