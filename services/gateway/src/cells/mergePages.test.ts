import { randomUUID } from "node:crypto"
import { CellsCursor, type CellsPosition, PageCursor, type PagePosition } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { mergeCells, mergePages, newestFirst, oldestFirst, positionIn } from "./mergePages.ts"

const encodePosition = Schema.encodeSync(PageCursor)
const encodeCursor = Schema.encodeSync(CellsCursor)
const decodeCursor = Schema.decodeUnknownSync(CellsCursor)

const rowAt = (seconds: number, id = `${String(seconds).padStart(8, "0")}-e2bb-4255-8caf-4136c566a962`) => ({
  id,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds))
})

const positionOf = ({ createdAt, id }: PagePosition): PagePosition => ({ createdAt, id })
const optionsOf = (limit: number, isOldestFirst: boolean) => ({
  limit,
  positionOf,
  order: isOldestFirst ? oldestFirst : newestFirst
})
type Options = ReturnType<typeof optionsOf>

/** Answers as a service with these rows does: `size` of them and a cursor, or one more than the limit and none. */
const pageOf = (
  rows: ReadonlyArray<PagePosition>,
  after: PagePosition | undefined,
  size: number | "limit and one more",
  { limit, order }: Options
) => {
  const following = rows.toSorted(order).filter((row) => after === undefined || order(row, after) > 0)
  if (size === "limit and one more") return { data: following.slice(0, limit + 1), nextCursor: null }
  const data = following.slice(0, size)
  const last = data.at(-1)
  return { data, nextCursor: following.length > data.length && last !== undefined ? positionOf(last) : null }
}

const cells = {
  c1: [1, 3, 5, 7, 9, 10, 11].map((seconds) => rowAt(seconds)),
  c2: [2, 4, 6, 8].map((seconds) => rowAt(seconds)),
  c3: []
}
const names = ["c1", "c2", "c3"] as const

/** Reads all pages. `awayAt` are the pages at which a cell is away. */
const walk = (limit: number, isOldestFirst: boolean, awayAt: Readonly<Record<string, ReadonlyArray<number>>> = {}) => {
  const options = optionsOf(limit, isOldestFirst)
  const seen: Array<number> = []
  let cursor: CellsPosition<PagePosition> | undefined
  for (let page = 0; page < 50; page += 1) {
    const isAway = ({ cell }: { readonly cell: string }) => awayAt[cell]?.includes(page) ?? false
    const progress = names.map((cell) => ({ cell, requested: positionIn(cursor, cell) }))
    const pages = progress
      .filter((each) => !isAway(each))
      .map((each) => ({ ...each, ...pageOf(cells[each.cell], each.requested, limit, options) }))
    const { data, nextCursor } = mergeCells(pages, progress.filter(isAway), options)
    assert.isAtMost(data.length, limit)
    seen.push(...data.map(({ createdAt }) => createdAt.getUTCSeconds()))
    if (nextCursor === null) return seen
    cursor = nextCursor
  }
  return assert.fail("The list has no end")
}

const all = [...cells.c1, ...cells.c2].map(({ createdAt }) => createdAt.getUTCSeconds())
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
  const options = optionsOf(2, false)
  const pages = names.map((cell) => ({ cell, requested: undefined, ...pageOf(cells[cell], undefined, 2, options) }))
  const { data, nextCursor } = mergeCells(pages, [], options)
  assert.deepStrictEqual(data, [rowAt(11), rowAt(10)])
  assert.strictEqual(encodeCursor(nextCursor ?? assert.fail()), encodePosition(rowAt(10)))
})

it("pages of one cell's services are one list without a gap, also where some of them end early", () => {
  const options = optionsOf(10, false)
  const services = [
    { size: 3, rows: Array.from({ length: 40 }, (_, index) => rowAt(index % 20, randomUUID())) },
    { size: 10, rows: Array.from({ length: 25 }, (_, index) => rowAt(index, randomUUID())) },
    { size: 10, rows: [] }
  ]
  const seen: Array<PagePosition> = []
  let cursor: PagePosition | null | undefined
  while (cursor !== null) {
    const after: PagePosition | undefined = cursor
    const page = mergePages(
      services.map(({ rows, size }) => pageOf(rows, after, size, options)),
      options
    )
    assert.isNotEmpty(page.data)
    seen.push(...page.data)
    cursor = page.nextCursor
  }
  assert.deepStrictEqual(seen, services.flatMap(({ rows }) => rows).sort(newestFirst))
})

const cellName = fc.constantFrom(...names)
const serviceNames = ["auth", "cases"] as const
const serviceName = fc.constantFrom(...serviceNames)

/**
 * Rows of services by their second, of which many are equal, how each service ends its pages, and what happens before each page: new rows,
 * and cells that are away.
 */
const scenarios = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  isOldestFirst: fc.boolean(),
  sizes: fc.record({
    auth: fc.constantFrom(1, 2, 3, 4, "limit and one more" as const),
    cases: fc.constantFrom(1, 2, 3, 4, "limit and one more" as const)
  }),
  rows: fc.array(fc.tuple(cellName, serviceName, fc.integer({ min: 0, max: 9 })), { maxLength: 20 }),
  pages: fc.array(
    fc.record({
      added: fc.array(fc.tuple(cellName, serviceName), { maxLength: 2 }),
      away: fc.uniqueArray(cellName, { maxLength: 2 })
    }),
    { maxLength: 12 }
  )
})

it("while rows are added, and cells go away and come back, no row comes twice, and none is lost of cells that are there at the end", () => {
  fc.assert(
    fc.property(scenarios, ({ isOldestFirst, limit, pages, rows, sizes }) => {
      const options = optionsOf(limit, isOldestFirst)
      type Stored = Record<(typeof serviceNames)[number], Array<PagePosition>>
      const none = (): Stored => ({ auth: [], cases: [] })
      const stored = { c1: none(), c2: none(), c3: none() }
      for (const [cell, service, seconds] of rows) stored[cell][service].push(rowAt(seconds, randomUUID()))
      const first = structuredClone(stored)
      const seen: Array<PagePosition> = []
      let cursor: string | undefined
      let lastAway: ReadonlyArray<string> = []
      for (let page = 0; cursor !== undefined || page === 0; page += 1) {
        assert.isBelow(page, 200, "the list has no end")
        const { added, away } = pages[page] ?? { added: [], away: [] }
        for (const [cell, service] of added) stored[cell][service].push(rowAt(100 + page, randomUUID()))
        const position = cursor === undefined ? undefined : decodeCursor(cursor)
        const progress = names.map((cell) => ({ cell, requested: positionIn(position, cell) }))
        const merged = mergeCells(
          progress
            .filter(({ cell }) => !away.includes(cell))
            .flatMap((each) =>
              serviceNames.map((service) => ({
                ...each,
                ...pageOf(stored[each.cell][service], each.requested, sizes[service], options)
              }))
            ),
          progress.filter(({ cell }) => away.includes(cell)),
          options
        )
        assert.isAtMost(merged.data.length, limit)
        seen.push(...merged.data)
        cursor = merged.nextCursor === null ? undefined : encodeCursor(merged.nextCursor)
        lastAway = away
        if (merged.nextCursor === null && away.length > 0) assert.isEmpty(merged.data)
      }
      const ids = seen.map(({ id }) => id)
      assert.lengthOf(new Set(ids), ids.length)
      const present = names.filter((name) => !lastAway.includes(name))
      assert.includeMembers(
        ids,
        present.flatMap((name) => Object.values(first[name]).flatMap((rows) => rows.map(({ id }) => id)))
      )
      if (pages.every(({ away }) => away.length === 0)) assert.deepStrictEqual(seen, seen.toSorted(options.order))
    }),
    { numRuns: 300 }
  )
})
