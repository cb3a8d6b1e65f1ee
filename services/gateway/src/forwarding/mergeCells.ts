import { PageCursor, type PagePosition } from "@care/domain/http"
import { Option, Schema } from "effect"

/** A row of a list, with its position. */
type Row = Readonly<Record<string, unknown>>

/** The page of a cell. `requested` is the cursor that it continues; undefined at the start of the list. */
export interface CellPage {
  readonly cell: string
  readonly requested: string | undefined
  readonly data: ReadonlyArray<Row>
  readonly nextCursor: string | null
}

/** The cursors of cells by their names. A cell that is not in it begins. */
export type CellCursors = Readonly<Record<string, string | undefined>>

const decodePosition = Schema.decodeUnknownOption(PageCursor)
const encodePosition = Schema.encodeSync(PageCursor)

const Cursors = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))
)
const decodeCursors = Schema.decodeUnknownOption(Cursors)
const encodeCursors = Schema.encodeSync(Cursors)

/** Reads a cursor: that of a page at which some cells are behind the others, or else one for all cells. */
export const cursorsOf = (text: string | undefined, cells: ReadonlyArray<string>): CellCursors => {
  if (text === undefined) return {}
  return Option.getOrElse(decodeCursors(text), () => Object.fromEntries(cells.map((cell) => [cell, text])))
}

const positionOf = ({ createdAt, id, paymentId }: Row): PagePosition => ({
  createdAt: new Date(String(createdAt)),
  id: String(id ?? paymentId)
})

type Order = (a: PagePosition, b: PagePosition) => number

const oldestFirst: Order = (a, b) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const newestFirst: Order = (a, b) => oldestFirst(b, a)

/**
 * Merges the pages of cells into one of at most `limit` rows. It ends where the first of the pages ends. The rows of other cells after that
 * are in the next page, and a cell that is away keeps its cursor. If one is away at the end of the list, an empty page follows, or its rows
 * if it is back.
 */
export const mergeCells = (
  pages: ReadonlyArray<CellPage>,
  away: ReadonlyArray<Pick<CellPage, "cell" | "requested">>,
  { isOldestFirst, limit }: { readonly isOldestFirst: boolean; readonly limit: number }
) => {
  const order = isOldestFirst ? oldestFirst : newestFirst
  const decoded = (cursor: string | null | undefined) => Option.getOrUndefined(decodePosition(cursor))
  const [end] = pages.flatMap(({ nextCursor }) => decoded(nextCursor) ?? []).sort(order)
  const rows = pages
    .flatMap(({ data }) => data)
    .map((row) => ({ row, position: positionOf(row) }))
    .sort((a, b) => order(a.position, b.position))
  const found = rows.filter(({ position }) => end === undefined || order(position, end) <= 0)
  const shown = found.slice(0, limit)
  const data = shown.map(({ row }) => row)
  const isIncomplete = found.length > limit || (end === undefined && away.length > 0)
  const cut = isIncomplete ? shown.at(-1)?.position : end
  if (cut === undefined) return { data, nextCursor: null }

  const cursorAfter = ({ requested }: Pick<CellPage, "requested">) => {
    const before = decoded(requested)
    return encodePosition(before !== undefined && order(before, cut) > 0 ? before : cut)
  }
  const cursors = Object.fromEntries([
    ...pages.map((page) => [page.cell, cursorAfter(page)] as const),
    ...away.flatMap(({ cell, requested }) => (requested === undefined ? [] : [[cell, requested] as const]))
  ])
  const [common, ...others] = new Set(Object.values(cursors))
  const isCommon = others.length === 0 && away.every(({ requested }) => requested !== undefined)
  return { data, nextCursor: isCommon && common !== undefined ? common : encodeCursors(cursors) }
}
