import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaIssue, SchemaParser } from "effect"
import { listUpTo, optionalListUpTo } from "./listUpTo.ts"
import { maxMistakes } from "./RequestErrors.ts"
import { Timestamp } from "./Timestamp.ts"

const list = (element: Schema.Codec<unknown>, max: number) =>
  Schema.toCodecJson(
    Schema.Struct({ list: optionalListUpTo(element, { emptyMessage: "too few", max, tooManyMessage: "too many" }) })
  )

describe("listUpTo", () => {
  it("reads and writes its elements as JSON", () => {
    const Item = Schema.Struct({ at: Timestamp, note: Schema.optional(Schema.String) })
    const codec = list(Item, 2)
    const json = { list: [{ at: "2026-01-01T00:00:00.000Z", note: null }, { at: "2026-01-02T00:00:00.000Z" }] }
    const value = Schema.decodeUnknownSync(codec)(json)
    assert.deepStrictEqual(value, {
      list: [{ at: new Date("2026-01-01"), note: undefined }, { at: new Date("2026-01-02") }]
    })
    assert.deepStrictEqual(Schema.encodeSync(codec)(value), json)
    assert.deepStrictEqual(Schema.decodeUnknownSync(codec)({ list: null }), { list: undefined })
  })

  it("refuses too many and too few elements, and a value that is no list", () => {
    const read = Schema.decodeUnknownSync(list(Schema.Int, 2))
    assert.deepStrictEqual(read({ list: [1, 2] }), { list: [1, 2] })
    assert.throws(() => read({ list: [1, 2, 3] }), /too many/)
    assert.throws(() => read({ list: [] }), /too few/)
    assert.throws(() => read({ list: "1" }), /Expected an array/)
    assert.throws(
      () => Schema.decodeUnknownSync(listUpTo(Schema.Int, { max: 1, tooManyMessage: "" }))(1),
      /Expected an array$/
    )
  })

  it("reads no element of a list that is too long", () => {
    let reads = 0
    const counted = Schema.String.check(
      Schema.makeFilter(() => {
        reads += 1
        return true
      })
    )
    const read = Schema.decodeUnknownResult(list(counted, 100))
    assert.isTrue(Result.isSuccess(read({ list: new Array(100).fill("a") })))
    assert.strictEqual(reads, 100)
    assert.isTrue(Result.isFailure(read({ list: new Array(101).fill("a") })))
    assert.strictEqual(reads, 100)
  })

  it("collects the mistakes of a few elements only, however many are wrong", () => {
    const read = SchemaParser.decodeUnknownResult(list(Schema.Int, 1000))
    const mistakes = (errors: "all" | "first") => {
      const result = read({ list: new Array(1000).fill("a") }, { errors })
      return Result.isFailure(result) ? SchemaIssue.makeFormatterStandardSchemaV1()(result.failure).issues.length : 0
    }
    assert.strictEqual(mistakes("all"), maxMistakes)
    assert.strictEqual(mistakes("first"), 1)
  })

  it("describes its elements and their number in JSON Schema, at any depth", () => {
    const inner = listUpTo(Schema.Struct({ at: Timestamp }), { max: 7, emptyMessage: "", tooManyMessage: "" })
    const outer = listUpTo(Schema.Struct({ inner }), { max: 3, tooManyMessage: "" })
    const { schema } = Schema.toJsonSchemaDocument(Schema.Struct({ outer }))
    const text = JSON.stringify(schema)
    for (const part of ['"maxItems":3', '"minItems":1,"maxItems":7', '"format":"date-time"']) assert.include(text, part)
  })
})
