import { assert, describe, it } from "@effect/vitest"
import { settled } from "./settled.ts"

const rows = (...ids: ReadonlyArray<string>) => ids.map((id) => ({ id }))
const shown = (before: ReadonlyArray<string>, latest: ReadonlyArray<string>, hasMore = false) => {
  const { added, gone, held, rows: after } = settled(rows(...before), rows(...latest), hasMore)
  return { rows: after.map(({ id }) => id).join(""), gone: [...gone].join(""), added, held }
}

describe("a list that changes while a person works in it", () => {
  it("adds new rows at the end, and keeps those that are gone in their places", () => {
    assert.deepStrictEqual(shown(["a", "b", "c"], ["b", "c", "d", "e"]), {
      rows: "abcde",
      gone: "a",
      added: 2,
      held: 0
    })
  })

  it("holds new rows back whose places are before others", () => {
    assert.deepStrictEqual(shown(["b", "d"], ["a", "b", "c", "d", "e"]), { rows: "bde", gone: "", added: 1, held: 2 })
  })

  it("takes no row for gone that may be on a page that was not read", () => {
    assert.deepStrictEqual(shown(["b", "c", "d"], ["a", "b"], true), { rows: "bcd", gone: "", added: 0, held: 1 })
    assert.deepStrictEqual(shown(["b", "c", "d"], ["a", "b"]), { rows: "bcd", gone: "cd", added: 0, held: 1 })
  })

  it("shows a list that was empty, and one that became empty", () => {
    assert.deepStrictEqual(shown([], ["a", "b"]), { rows: "ab", gone: "", added: 2, held: 0 })
    assert.deepStrictEqual(shown(["a"], []), { rows: "a", gone: "a", added: 0, held: 0 })
  })
})
