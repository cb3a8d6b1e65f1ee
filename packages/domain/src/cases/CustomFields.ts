import { Predicate, Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { isJsonOf } from "../http/isJsonOf.ts"
import { isStorable } from "../http/Text.ts"

const maxFields = 50
const maxDepth = 8
const maxValues = 1000

/** The fields that a partner and a pharmacy agreed on: a JSON object, of which only `documentUrl` is known here. */
interface CustomFields {
  readonly documentUrl?: string | null
  readonly [name: string]: Schema.Json
}

const isJson = isJsonOf({
  maxDepth,
  maxValues,
  isText: (text) => text.length <= lengths.url && isStorable(text),
  isKey: (key) => key.length <= lengths.name && isStorable(key)
})

const isFields = (value: unknown): value is CustomFields =>
  Predicate.isObject(value) && Object.keys(value).length <= maxFields && isJson(value)

const bounds = `at most ${maxFields} members, ${maxDepth} deep, with ${maxValues} values altogether, names of at most ${lengths.name} characters and texts of at most ${lengths.url}`

// Describes the object in the public document. It is a check of the library's own, because the encoded side keeps only
// those.
const inDocument = Schema.isMaxProperties(maxFields, {
  toJsonSchema: () => ({
    type: "object",
    maxProperties: maxFields,
    propertyNames: { maxLength: lengths.name },
    properties: { documentUrl: { anyOf: [{ type: "string", maxLength: lengths.url }, { type: "null" }] } },
    additionalProperties: { description: "Any JSON value" }
  })
})

const documentUrlIsText = Schema.makeFilter(({ documentUrl }: CustomFields) =>
  documentUrl === undefined || documentUrl === null || Predicate.isString(documentUrl)
    ? undefined
    : { path: ["documentUrl"], issue: "must be a text" }
)

/** The fields that a partner and a pharmacy agreed on for a prescription item: a JSON object, passed on unchanged. */
export const CustomFields = Schema.declare(isFields, {
  toCodecJson: () => undefined,
  description: `An object of ${bounds}. It is passed to the pharmacy unchanged. The file at the https URL \`documentUrl\` is attached to the case.`,
  message: `must be an object of ${bounds}, without NUL or unpaired surrogate characters`
}).check(inDocument, documentUrlIsText)
