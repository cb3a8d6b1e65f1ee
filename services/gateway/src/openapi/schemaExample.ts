import { createHash } from "node:crypto"
import { Predicate, Record } from "effect"
import { exampleWords } from "./exampleWords.ts"

type Schema = Readonly<Record<string, unknown>>
type Schemas = Readonly<Record<string, unknown>>

/** Returns a UUID that depends on the name of its field alone, so that one id is the same in all examples. */
const idOf = (name: string): string => {
  const hex = createHash("sha256").update(name).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `9${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-"
  )
}

/** `closeReason`: "Close reason" */
const sentenceOf = (name: string): string => {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-08-01T10:00:00.000Z",
  date: "2026-08-01",
  uri: "https://example.com",
  "uri-reference": "https://example.com/program.png",
  binary: "<file>"
}

// Codes that a pattern may demand of a field whose name has another word.
const codes = ["123456", "ABCDE-12345"]

// What a case, a product or an endpoint usually is not, and a nullable moment or reason that it therefore has not.
const unusual =
  /^(isArchived|isTest|isSoldOut|includeTestCases|(disabled|failing|closed|archive|erased|revoked|replaced)[A-Z])/

const textOf = (name: string, { format, maxLength, pattern }: Schema): string => {
  const word = exampleWords[name]
  const fits = (text: unknown) =>
    Predicate.isString(text) && (!Predicate.isString(pattern) || new RegExp(pattern, "u").test(text))
  if (format === "uuid" || (name.endsWith(" id") && fits(idOf(name)))) return idOf(name)
  const fitting = [word, ...codes].filter(Predicate.isString).find(fits)
  if (fitting !== undefined && word !== undefined && format !== "date-time") return fitting
  const text = (Predicate.isString(format) ? formats[format] : undefined) ?? sentenceOf(name)
  return Predicate.isNumber(maxLength) ? text.slice(0, maxLength) : text
}

const numberOf = (name: string, { exclusiveMinimum, maximum, minimum }: Schema): number => {
  const word = exampleWords[name]
  const lowest = [minimum, exclusiveMinimum].find(Predicate.isNumber) ?? 0
  const number = Predicate.isNumber(word) ? word : Math.max(lowest, 1)
  return Predicate.isNumber(maximum) ? Math.min(number, maximum) : number
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

interface ExampleOptions {
  readonly fixed?: Schema
  readonly isShort?: boolean
  readonly within?: ReadonlyArray<string>
}

/**
 * Returns an example of a JSON schema: constants, the first of several values, words for the name of a field, and the first alternative
 * that is not null. `fixed` has values of fields of the outermost object, which then has its required fields alone if `isShort`. An
 * object within itself is left out.
 */
export const schemaExample = (
  schema: unknown,
  name: string,
  schemas: Schemas,
  { fixed = {}, isShort = false, within = [] }: ExampleOptions = {}
): unknown => {
  if (!Predicate.isObject(schema)) return {}
  const { $ref, examples, properties, type } = schema
  if (Predicate.isString($ref)) {
    const component = $ref.split("/").at(-1) ?? ""
    return schemaExample(schemas[component], name, schemas, { fixed, isShort, within: [...within, component] })
  }
  const alternatives = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])]
  const isWithin = (each: unknown) =>
    Predicate.isObject(each) &&
    Predicate.isString(each["$ref"]) &&
    within.includes(each["$ref"].split("/").at(-1) ?? "")
  if (alternatives.length > 0) {
    if (unusual.test(name) && alternatives.some((each) => Predicate.isObject(each) && each["type"] === "null"))
      return null
    const some = alternatives.find((each) => Predicate.isObject(each) && each["type"] !== "null" && !isWithin(each))
    return some === undefined ? null : schemaExample(some, name, schemas, { fixed, isShort, within })
  }
  if ("const" in schema) return schema["const"]
  if (Array.isArray(schema["enum"])) return schema["enum"][0]
  if (Array.isArray(examples)) return examples[0]
  switch (type) {
    case "object": {
      const members = Predicate.isObject(properties) ? Record.toEntries({ ...properties }) : []
      return Object.fromEntries(
        members.flatMap(([key, member]) => {
          if (isShort && !listOf(schema["required"]).includes(key)) return []
          const value = schemaExample(member, key === "id" ? `${name} id` : key, schemas, { within })
          if (key in fixed && !(Predicate.isObject(member) && "const" in member)) return [[key, fixed[key]]]
          return isWithin(member) ? [] : [[key, value]]
        })
      )
    }
    case "array":
      return isWithin(schema["items"]) ? [] : [schemaExample(schema["items"], name, schemas, { within })]
    case "number":
    case "integer":
      return numberOf(name, schema)
    case "boolean":
      return !unusual.test(name)
    case "string":
      return textOf(name, schema)
    default:
      return type === "null" ? null : {}
  }
}
