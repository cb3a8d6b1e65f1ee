import { PageCursor } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { type CellPage, cursorsOf, mergeCells } from "./mergeCells.ts"

const decode = Schema.decodeUnknownSync(PageCursor)
const encode = Schema.encodeSync(PageCursor)

const rowAt = (seconds: number) => ({
  id: `${String(seconds).padStart(8, "0")}-e2bb-4255-8caf-4136c566a962`,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
})

type StoredRow = ReturnType<typeof rowAt>
const positionOf = ({ createdAt, id }: StoredRow) => ({ createdAt: new Date(createdAt), id })

/** Answers as a cell with these rows does. */
const pageOf = (
  rows: ReadonlyArray<StoredRow>,
  cell: string,
  requested: string | undefined,
  limit: number,
  isOldestFirst: boolean
): CellPage => {
  const after = requested === undefined ? undefined : decode(requested).createdAt.getTime()
  const sign = isOldestFirst ? 1 : -1
  const at = (row: StoredRow) => sign * positionOf(row).createdAt.getTime()
  const following = rows
    .toSorted((a, b) => at(a) - at(b))
    .filter((row) => after === undefined || at(row) > sign * after)
  const data = following.slice(0, limit)
  const last = data.at(-1)
  const nextCursor = following.length > limit && last !== undefined ? encode(positionOf(last)) : null
  return { cell, requested, data, nextCursor }
}

const cells = {
  c1: [1, 3, 5, 7, 9, 10, 11].map(rowAt),
  c2: [2, 4, 6, 8].map(rowAt),
  c3: []
}
const names = ["c1", "c2", "c3"] as const

/** Reads all pages. `awayAt` are the pages at which a cell is away. */
const walk = (limit: number, isOldestFirst: boolean, awayAt: Readonly<Record<string, ReadonlyArray<number>>> = {}) => {
  const seen: Array<number> = []
  let cursor: string | undefined
  for (let page = 0; page < 50; page += 1) {
    const cursors = cursorsOf(cursor, names)
    const isAway = (name: string) => awayAt[name]?.includes(page) ?? false
    const pages = names
      .filter((name) => !isAway(name))
      .map((name) => pageOf(cells[name], name, cursors[name], limit, isOldestFirst))
    const away = names.filter(isAway).map((cell) => ({ cell, requested: cursors[cell] }))
    const { data, nextCursor } = mergeCells(pages, away, { isOldestFirst, limit })
    assert.isAtMost(data.length, limit)
    seen.push(...data.map(({ createdAt }) => new Date(String(createdAt)).getUTCSeconds()))
    if (nextCursor === null) return seen
    cursor = nextCursor
  }
  return assert.fail("The list has no end")
}

const all = [...cells.c1, ...cells.c2].map(({ createdAt }) => new Date(createdAt).getUTCSeconds())
const ascending = all.toSorted((a, b) => a - b)

for (const limit of [1, 2, 3, 10, 11, 12]) {
  it(`the rows of all cells come in order, each once, ${limit} on a page`, () => {
    assert.deepStrictEqual(walk(limit, true), ascending)
    assert.deepStrictEqual(walk(limit, false), ascending.toReversed())
  })
}

it("a cell that was away for some pages is continued where it was, and no row is lost or comes twice", () => {
  for (const awayAt of [{ c2: [0] }, { c2: [1, 2] }, { c1: [0, 1], c3: [2] }, { c1: [1], c2: [2] }]) {
    for (const isOldestFirst of [true, false]) {
      const seen = walk(2, isOldestFirst, awayAt)
      assert.deepStrictEqual(
        seen.toSorted((a, b) => a - b),
        [...new Set(seen)].sort((a, b) => a - b)
      )
      assert.includeMembers(seen, cells.c2.length > 0 && !("c1" in awayAt) ? ascending : [])
    }
  }
})

it("the cursor is that of one cell while no cell is behind", () => {
  const pages = names.map((name) => pageOf(cells[name], name, undefined, 2, false))
  const { data, nextCursor } = mergeCells(pages, [], { isOldestFirst: false, limit: 2 })
  assert.deepStrictEqual(data, [rowAt(11), rowAt(10)])
  assert.strictEqual(nextCursor, encode(positionOf(rowAt(10))))
})
