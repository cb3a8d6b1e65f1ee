import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { ExternalJson, JsonAnswer, maxAnswerDepth, maxAnswerValues } from "./JsonAnswer.ts"

const isAccepted = (value: unknown) =>
  Schema.decodeUnknownExit(Schema.toCodecJson(Schema.Struct({ answer: JsonAnswer })))({ answer: value })._tag ===
  "Success"

const nested = (depth: number): unknown => {
  let value: unknown = "deep"
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { inner: value }
  return value
}

describe("JsonAnswer", () => {
  it("accepts every kind of JSON value unchanged", () => {
    for (const value of [null, true, 1.5, "", "text 💊", [], {}, [1, [2, { three: null }]], { a: { b: ["c"] } }]) {
      assert.isTrue(isAccepted(value), JSON.stringify(value))
    }
  })

  it("refuses texts and keys that PostgreSQL cannot store, at any depth", () => {
    for (const text of ["\u0000", "a\u0000b", "\ud800", "\udc00a"]) {
      for (const value of [text, [text], { key: text }, { [text]: 1 }, [{ a: [{ [text]: "b" }] }], [[[text]]]]) {
        assert.isFalse(isAccepted(value), JSON.stringify(value))
      }
    }
  })

  it("refuses values that JSON does not have", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, [undefined]])
      assert.isFalse(isAccepted(value))
  })

  it("bounds the depth and the number of values", () => {
    assert.isTrue(isAccepted(nested(maxAnswerDepth)))
    assert.isFalse(isAccepted(nested(maxAnswerDepth + 1)))
    assert.isFalse(isAccepted(nested(100_000)))
    assert.isTrue(isAccepted(new Array(maxAnswerValues - 1).fill(0)))
    assert.isFalse(isAccepted(new Array(maxAnswerValues).fill(0)))
    assert.isFalse(isAccepted(new Array(100).fill(new Array(maxAnswerValues / 100).fill(0))))
  })
})

describe("ExternalJson", () => {
  const read = Schema.decodeUnknownOption(Schema.toCodecJson(Schema.Struct({ value: ExternalJson })))
  const decode = (value: unknown) => Option.getOrUndefined(read({ value }))?.value

  it("replaces only characters that PostgreSQL cannot store, by U+FFFD, in texts and keys, at any depth", () => {
    assert.deepStrictEqual(decode({ a: ["\u0000b", { "c\ud800": "d\udc00e 💊" }], n: [1, true, null] }), {
      a: ["\ufffdb", { "c\ufffd": "d\ufffde 💊" }],
      n: [1, true, null]
    })
    assert.strictEqual(decode("\u0000\u0000"), "\ufffd\ufffd")
  })

  it("has the bounds of any answer", () => {
    assert.isDefined(decode(nested(maxAnswerDepth)))
    for (const value of [nested(maxAnswerDepth + 1), nested(100_000), new Array(maxAnswerValues).fill("\u0000"), 1n]) {
      assert.isUndefined(decode(value))
    }
  })
})
