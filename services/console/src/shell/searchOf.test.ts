import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { searchOf } from "./searchOf.ts"

const search = searchOf(
  Schema.Struct({ show: Schema.optional(Schema.Literals(["mine", "open"])), queue: Schema.optional(Schema.String) })
)

it("search parameters that a screen knows are read, and bad and unknown ones are undefined, which removes them", () => {
  assert.deepStrictEqual(search({}), {})
  assert.deepStrictEqual(search({ show: "mine", queue: "a" }), { show: "mine", queue: "a" })
  const read = search({ show: "theirs", queue: "a", name: "Maria", constructor: "x" })
  assert.deepStrictEqual(Object.entries(read), [
    ["show", undefined],
    ["queue", "a"],
    ["name", undefined],
    ["constructor", undefined]
  ])
})

it("a bad search parameter does not take the others with it", () => {
  assert.deepStrictEqual(search({ show: ["mine"], queue: "a" }), { show: undefined, queue: "a" })
  assert.deepStrictEqual(search({ show: "open", queue: { a: 1 } }), { show: "open", queue: undefined })
})
