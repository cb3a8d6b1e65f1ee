import type { CellsPosition, PagePosition } from "@care/domain/http"
import type { Page } from "@care/service-kit"

/** The order of a list, and the size of its pages. */
export interface PageOptions<Row, Position> {
  readonly limit: number
  readonly positionOf: (row: Row) => Position
  readonly order: (a: Position, b: Position) => number
}

type Order = PageOptions<never, PagePosition>["order"]

export const oldestFirst: Order = (a, b) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

export const newestFirst: Order = (a, b) => oldestFirst(b, a)

/** A cell and its position in a list: that of the last row it has shown, or undefined at the start. */
export interface CellProgress<Position> {
  readonly cell: string
  readonly requested: Position | undefined
}

/** Returns the position of a cell; undefined if it begins. */
export const positionIn = <Position>(
  position: CellsPosition<Position> | undefined,
  cell: string
): Position | undefined => {
  if (position === undefined) return undefined
  return "all" in position ? position.all : position.cells[cell]
}

/**
 * Merges pages that begin at one position into a page of at most `limit` rows. It ends where the first of the pages ends. The rows of others
 * after that are in the next page. `hasMore` says that the list goes on even if all pages are the last ones.
 */
export const mergePages = <Row, Position>(
  pages: ReadonlyArray<Page<Row, Position>>,
  { limit, order, positionOf }: PageOptions<Row, Position>,
  hasMore = false
): Page<Row, Position> => {
  const [end] = pages.flatMap(({ nextCursor }) => (nextCursor === null ? [] : [nextCursor])).sort(order)
  const found = pages
    .flatMap(({ data }) => data)
    .filter((row) => end === undefined || order(positionOf(row), end) <= 0)
    .sort((a, b) => order(positionOf(a), positionOf(b)))
  const data = found.slice(0, limit)
  const last = data.at(-1)
  const endsAtLast = found.length > limit || (end === undefined && hasMore)
  return { data, nextCursor: (endsAtLast && last !== undefined ? positionOf(last) : end) ?? null }
}

/**
 * Merges pages of cells. A cell may have several pages, and those of different cells may begin at different positions. A cell that is away
 * keeps its position. If one is away at the end of the list, an empty page follows, or its rows if it is back.
 */
export const mergeCells = <Row, Position>(
  pages: ReadonlyArray<Page<Row, Position> & CellProgress<Position>>,
  away: ReadonlyArray<CellProgress<Position>>,
  options: PageOptions<Row, Position>
): Page<Row, CellsPosition<Position>> => {
  const { order } = options
  const { data, nextCursor: end } = mergePages(pages, options, away.length > 0)
  if (end === null) return { data, nextCursor: null }
  const isAtEnd = (position: Position | undefined) => position !== undefined && order(position, end) === 0
  const positions = [
    ...pages.map(
      ({ cell, requested }) => [cell, requested !== undefined && order(requested, end) > 0 ? requested : end] as const
    ),
    ...away.flatMap(({ cell, requested }) => (requested === undefined ? [] : [[cell, requested] as const]))
  ]
  const isCommon =
    positions.every(([, position]) => isAtEnd(position)) && away.every(({ requested }) => isAtEnd(requested))
  return { data, nextCursor: isCommon ? { all: end } : { cells: Object.fromEntries(positions) } }
}
