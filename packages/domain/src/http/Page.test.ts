import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { PageCursor, PageQuery } from "./Page.ts"

const id = "3b241101-e2bb-4255-8caf-4136c566a962"
const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const read = Schema.decodeUnknownSync(PageCursor)

describe("PageCursor", () => {
  it("keeps a position", () => {
    const position = { createdAt: new Date("2026-02-03T04:05:06.789Z"), id }
    const text = Schema.encodeSync(PageCursor)(position)
    assert.strictEqual(text, cursor([position.createdAt.getTime(), id]))
    assert.deepStrictEqual(read(text), position)
  })

  it("refuses every text without a storable moment and an id", () => {
    for (const value of [
      [9e15, id],
      [-9e15, id],
      [253_402_300_800_000, id],
      [-62_135_596_800_001, id],
      [0.5, id],
      ["0", id],
      [0, "x"],
      [0, `${id}\u0000`],
      [0, id, 1],
      [0],
      {},
      null
    ]) {
      assert.throws(() => read(cursor(value)), /must be the nextCursor of another page/, JSON.stringify(value))
    }
    for (const text of ["", "x", "%%%", "a".repeat(100_000), id]) {
      assert.throws(() => read(text), /must be the nextCursor of another page/)
    }
  })
})

describe("PageQuery", () => {
  const read = Schema.decodeUnknownSync(Schema.toCodecStringTree(Schema.Struct(PageQuery)))

  it("takes a limit of 1 to 100", () => {
    for (const limit of [1, 50, 100]) assert.deepStrictEqual(read({ limit: String(limit) }), { limit })
    for (const limit of ["0", "101", "-1", "1.5", "", "x", "NaN", "Infinity"]) assert.throws(() => read({ limit }))
    assert.throws(() => read({ limit: "\u0000" }), /must be an integer/)
  })
})
