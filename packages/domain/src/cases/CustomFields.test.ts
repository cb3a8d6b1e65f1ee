import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as fc from "fast-check"
import { CustomFields } from "./CustomFields.ts"

describe("the custom fields of an item", () => {
  const codec = Schema.toCodecJson(CustomFields)
  const read = Schema.decodeUnknownOption(codec)

  it("have their schema in the public document", () => {
    const { schema } = Schema.toJsonSchemaDocument(codec)
    const text = { type: "string", maxLength: 2048 }
    assert.deepInclude(schema, {
      allOf: [
        {
          type: "object",
          maxProperties: 50,
          propertyNames: { maxLength: 100 },
          properties: { documentUrl: { anyOf: [text, { type: "null" }] } },
          additionalProperties: { description: "Any JSON value" }
        }
      ]
    })
  })

  it("are any JSON object, read and written unchanged", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 20 }),
        (value) => {
          const fields = { ...JSON.parse(JSON.stringify(value)), documentUrl: "https://files.example.com/rx.pdf" }
          assert.deepStrictEqual(read(fields), Option.some(fields))
        }
      ),
      { numRuns: 50 }
    )
    const nested = { lines: [{ ndc: "1", lots: [1, 2.5, null, true, { a: {} }] }], none: null, documentUrl: null }
    assert.deepStrictEqual(read(nested), Option.some(nested))
  })

  it("are bounded in number, depth and length, and their documentUrl is a text", () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
    assert.isTrue(Option.isSome(read({ a: deep(7) })))
    for (const fields of [
      { a: deep(8) },
      { a: new Array(1001).fill(1) },
      { a: ["x".repeat(2049)] },
      { a: { ["x".repeat(101)]: 1 } },
      Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, 1])),
      { a: ["\u0000"] },
      { a: { "\ud800": 1 } },
      { a: Number.POSITIVE_INFINITY },
      [],
      "x",
      ...[1, true, [], {}, ["https://files.example.com/rx.pdf"]].map((documentUrl) => ({ documentUrl }))
    ]) {
      assert.isTrue(Option.isNone(read(fields)), JSON.stringify(fields).slice(0, 100))
    }
  })
})
