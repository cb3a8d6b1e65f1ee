import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { CustomFields } from "./CustomFields.ts"

it("the document says what the custom fields of an item are", () => {
  const { schema } = Schema.toJsonSchemaDocument(Schema.toCodecJson(CustomFields))
  const text = { type: "string", maxLength: 2048 }
  const number = { type: "number", minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE }
  assert.deepInclude(schema, {
    allOf: [
      {
        type: "object",
        maxProperties: 50,
        propertyNames: { maxLength: 100 },
        additionalProperties: { anyOf: [text, number, { type: "boolean" }, { type: "null" }] }
      }
    ]
  })
})
