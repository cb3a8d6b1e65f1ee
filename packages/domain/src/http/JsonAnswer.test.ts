import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { ExternalJson, JsonAnswer, maxAnswerDepth, maxAnswerValues } from "./JsonAnswer.ts"

const isTaken = (value: unknown) =>
  Schema.decodeUnknownExit(Schema.toCodecJson(Schema.Struct({ answer: JsonAnswer })))({ answer: value })._tag ===
  "Success"

const nested = (depth: number): unknown => {
  let value: unknown = "deep"
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { inner: value }
  return value
}

describe("JsonAnswer", () => {
  it("takes every kind of JSON value as it is", () => {
    for (const value of [null, true, 1.5, "", "text 💊", [], {}, [1, [2, { three: null }]], { a: { b: ["c"] } }]) {
      assert.isTrue(isTaken(value), JSON.stringify(value))
    }
  })

  it("refuses texts and keys that PostgreSQL cannot store, at any depth", () => {
    for (const text of ["\u0000", "a\u0000b", "\ud800", "\udc00a"]) {
      for (const value of [text, [text], { key: text }, { [text]: 1 }, [{ a: [{ [text]: "b" }] }], [[[text]]]]) {
        assert.isFalse(isTaken(value), JSON.stringify(value))
      }
    }
  })

  it("refuses what JSON does not have", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, [undefined]]) assert.isFalse(isTaken(value))
  })

  it("bounds the depth and the number of values", () => {
    assert.isTrue(isTaken(nested(maxAnswerDepth)))
    assert.isFalse(isTaken(nested(maxAnswerDepth + 1)))
    assert.isFalse(isTaken(nested(100_000)))
    assert.isTrue(isTaken(new Array(maxAnswerValues - 1).fill(0)))
    assert.isFalse(isTaken(new Array(maxAnswerValues).fill(0)))
    assert.isFalse(isTaken(new Array(100).fill(new Array(maxAnswerValues / 100).fill(0))))
  })
})

describe("ExternalJson", () => {
  const read = Schema.decodeUnknownOption(Schema.toCodecJson(Schema.Struct({ value: ExternalJson })))
  const decode = (value: unknown) => Option.getOrUndefined(read({ value }))?.value

  it("has U+FFFD instead of what PostgreSQL cannot store, in texts and keys, at any depth, and nothing else changed", () => {
    assert.deepStrictEqual(decode({ a: ["\u0000b", { "c\ud800": "d\udc00e 💊" }], n: [1, true, null] }), {
      a: ["\ufffdb", { "c\ufffd": "d\ufffde 💊" }],
      n: [1, true, null]
    })
    assert.strictEqual(decode("\u0000\u0000"), "\ufffd\ufffd")
  })

  it("is as bounded as any answer", () => {
    assert.isDefined(decode(nested(maxAnswerDepth)))
    for (const value of [nested(maxAnswerDepth + 1), nested(100_000), new Array(maxAnswerValues).fill("\u0000"), 1n]) {
      assert.isUndefined(decode(value))
    }
  })
})
