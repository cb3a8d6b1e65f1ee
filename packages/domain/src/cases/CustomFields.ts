import { Predicate, Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { isStorable } from "../http/Text.ts"

const mostFields = 50

type CustomField = string | number | boolean | null

const isField = (value: unknown): value is CustomField =>
  Predicate.isString(value)
    ? value.length <= lengths.url && isStorable(value)
    : value === null || Predicate.isBoolean(value) || Number.isFinite(value)

const isFields = (value: unknown): value is Readonly<Record<string, CustomField>> => {
  if (!Predicate.isObject(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length <= mostFields &&
    entries.every(([key, field]) => key.length <= lengths.name && isStorable(key) && isField(field))
  )
}

const bounds = `at most ${mostFields} pairs of a name of at most ${lengths.name} characters and a text (of at most ${lengths.url}), a number, true, false or null`

// Says in the public document what the object is. A check of the library's own, because the encoded side keeps only those.
const inDocument = Schema.isMaxProperties(mostFields, {
  toJsonSchema: () => ({
    type: "object",
    maxProperties: mostFields,
    propertyNames: { maxLength: lengths.name },
    additionalProperties: {
      anyOf: [
        { type: "string", maxLength: lengths.url },
        { type: "number", minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
        { type: "boolean" },
        { type: "null" }
      ]
    }
  })
})

/** What a partner and a pharmacy agreed to tell each other of a prescription item: pairs of a name and a value. */
export const CustomFields = Schema.declare(isFields, {
  toCodecJson: () => undefined,
  description: `An object of ${bounds}. The file at the https URL \`documentUrl\` becomes an attachment of the case.`,
  message: `must be an object of ${bounds}, without NUL or unpaired surrogate characters`
}).check(inDocument)
