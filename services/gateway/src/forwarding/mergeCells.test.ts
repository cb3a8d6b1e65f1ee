import { randomUUID } from "node:crypto"
import { PageCursor, type PagePosition } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { type CellPage, cursorsOf, mergeCells } from "./mergeCells.ts"

const decode = Schema.decodeUnknownSync(PageCursor)
const encode = Schema.encodeSync(PageCursor)

const rowAt = (seconds: number) => ({
  id: `${String(seconds).padStart(8, "0")}-e2bb-4255-8caf-4136c566a962`,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
})

interface StoredRow {
  readonly id: string
  readonly createdAt: string
}
const positionOf = ({ createdAt, id }: StoredRow) => ({ createdAt: new Date(createdAt), id })

/** Compares positions as the statements of services do. */
const compare = (a: PagePosition, b: PagePosition) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Answers as a cell with these rows does. */
const pageOf = (
  rows: ReadonlyArray<StoredRow>,
  cell: string,
  requested: string | undefined,
  limit: number,
  isOldestFirst: boolean
): CellPage => {
  const after = requested === undefined ? undefined : decode(requested)
  const order = (a: PagePosition, b: PagePosition) => (isOldestFirst ? compare(a, b) : compare(b, a))
  const following = rows
    .toSorted((a, b) => order(positionOf(a), positionOf(b)))
    .filter((row) => after === undefined || order(positionOf(row), after) > 0)
  const data = following.slice(0, limit).map((row) => ({ ...row }))
  const last = following[data.length - 1]
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

const cellName = fc.constantFrom(...names)

/** Rows of cells by their second, of which many are equal, and what happens before each page: new rows, and cells that are away. */
const scenarios = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  isOldestFirst: fc.boolean(),
  rows: fc.array(fc.tuple(cellName, fc.integer({ min: 0, max: 9 })), { maxLength: 20 }),
  pages: fc.array(
    fc.record({ added: fc.array(cellName, { maxLength: 2 }), away: fc.uniqueArray(cellName, { maxLength: 2 }) }),
    { maxLength: 12 }
  )
})

it("while rows are added, and cells go away and come back, no row comes twice, and none is lost of cells that are there at the end", () => {
  fc.assert(
    fc.property(scenarios, ({ isOldestFirst, limit, pages, rows }) => {
      const stored: Record<string, Array<StoredRow>> = { c1: [], c2: [], c3: [] }
      const add = (cell: string, seconds: number) => stored[cell]?.push({ ...rowAt(seconds), id: randomUUID() })
      for (const [cell, seconds] of rows) add(cell, seconds)
      const first = structuredClone(stored)
      const seen: Array<PagePosition> = []
      let cursor: string | undefined
      let lastAway: ReadonlyArray<string> = []
      for (let page = 0; cursor !== undefined || page === 0; page += 1) {
        assert.isBelow(page, 200, "the list has no end")
        const { added, away } = pages[page] ?? { added: [], away: [] }
        for (const cell of added) add(cell, 100 + page)
        const cursors = cursorsOf(cursor, names)
        const merged = mergeCells(
          names
            .filter((name) => !away.includes(name))
            .map((name) => pageOf(stored[name] ?? [], name, cursors[name], limit, isOldestFirst)),
          away.map((cell) => ({ cell, requested: cursors[cell] })),
          { isOldestFirst, limit }
        )
        assert.isAtMost(merged.data.length, limit)
        for (const { createdAt, id } of merged.data) {
          seen.push({ createdAt: new Date(String(createdAt)), id: String(id) })
        }
        cursor = merged.nextCursor ?? undefined
        lastAway = away
        if (merged.nextCursor === null && away.length > 0) assert.isEmpty(merged.data)
      }
      const ids = seen.map(({ id }) => id)
      assert.lengthOf(new Set(ids), ids.length)
      const present = names.filter((name) => !lastAway.includes(name))
      assert.includeMembers(
        ids,
        present.flatMap((name) => (first[name] ?? []).map(({ id }) => id))
      )
      if (pages.every(({ away }) => away.length === 0)) {
        assert.deepStrictEqual(
          seen,
          seen.toSorted((a, b) => (isOldestFirst ? compare(a, b) : compare(b, a)))
        )
      }
    }),
    { numRuns: 2000 }
  )
})
