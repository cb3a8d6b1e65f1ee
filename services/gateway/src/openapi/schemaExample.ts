import { createHash } from "node:crypto"
import { shownIds } from "@care/domain/http"
import { Predicate, Record } from "effect"
import { exampleThings, exampleWords } from "./examples/index.ts"

type Schema = Readonly<Record<string, unknown>>
type Schemas = Readonly<Record<string, unknown>>

/** A field: its name, and what has it. */
interface Field {
  readonly owner: string
  readonly name: string
}

const inTable = <Value>(table: Readonly<Record<string, Value>>, { name, owner }: Field): Value | undefined =>
  table[`${owner}.${name}`] ?? table[name]

/** Returns what a field or a component is: a field says more than its component (`assignedTo`, a `UserSummary`). */
const thingOf = (name: string, component: string | undefined): string =>
  exampleThings[name] ??
  (component === undefined
    ? name
    : (exampleThings[component] ?? component.charAt(0).toLowerCase() + component.slice(1)))

const ids: Readonly<Record<string, string>> = shownIds

/** Returns the id of what a field names: that of the contracts' examples, or else a UUID that depends on the thing alone. */
const idAt = (field: Field): string => {
  const { name, owner } = field
  const thing = name === "id" ? owner : (inTable(exampleThings, field) ?? name.replace(/Ids?$/, ""))
  const hex = createHash("sha256").update(thing).digest("hex")
  const made = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `9${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return ids[thing] ?? made.join("-")
}

// What a case, a product or an endpoint usually is not, and a nullable moment or reason that it therefore has not.
const unusual =
  /^(is(Archived|Deleted|Disabled|NoDecision|PriorAuthRequested|Refill|Restricted|SoldOut|Test)|includeTestCases|endedAt|failure$|replacementReason|(disabled|failing|closed|archive|erased|revoked|replaced|live|glassBroken)[A-Z])/

const forms: Readonly<Record<string, RegExp>> = { "date-time": /^\d{4}-\d\d-\d\dT/, date: /^\d{4}-\d\d-\d\d$/ }

/** The example of a field without a word. No text and no number is like it, so that a test finds it. */
const missing = {}

const textAt = (field: Field, { format, pattern }: Schema): unknown => {
  if (format === "uuid") return idAt(field)
  if (format === "binary") return "<file>"
  const word = inTable(exampleWords, field) ?? (/(^id|Id)$/.test(field.name) ? idAt(field) : undefined)
  const fits =
    Predicate.isString(word) &&
    (!Predicate.isString(pattern) || new RegExp(pattern, "u").test(word)) &&
    (!Predicate.isString(format) || (forms[format]?.test(word) ?? true))
  return fits ? word : missing
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

interface ExampleOptions {
  /** What has the field: a component, or another field. */
  readonly owner?: string
  /** The component that the schema is. */
  readonly component?: string
  readonly fixed?: Schema
  readonly isShort?: boolean
  readonly within?: ReadonlyArray<string>
}

/**
 * Returns an example of a JSON schema: constants, words for the name of a field, or else the first of several values, and the first
 * alternative that is not null. `fixed` has values of fields of the outermost object, which then has its required fields alone if
 * `isShort`. An object within itself is left out.
 */
export const schemaExample = (
  schema: unknown,
  name: string,
  schemas: Schemas,
  { owner = "", component, fixed = {}, isShort = false, within = [] }: ExampleOptions = {}
): unknown => {
  if (!Predicate.isObject(schema)) return {}
  const { $ref, examples, properties, type } = schema
  if (Predicate.isString($ref)) {
    const referred = $ref.split("/").at(-1) ?? ""
    const options = { owner, component: referred, fixed, isShort, within: [...within, referred] }
    return schemaExample(schemas[referred], name, schemas, options)
  }
  const alternatives = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])]
  const isWithin = (each: unknown) =>
    Predicate.isObject(each) &&
    Predicate.isString(each["$ref"]) &&
    within.includes(each["$ref"].split("/").at(-1) ?? "")
  if (alternatives.length > 0) {
    const some = alternatives.find((each) => Predicate.isObject(each) && each["type"] !== "null" && !isWithin(each))
    const isNullable = alternatives.some((each) => Predicate.isObject(each) && each["type"] === "null")
    if (isNullable && unusual.test(name) && !(Predicate.isObject(some) && some["type"] === "boolean")) return null
    return some === undefined
      ? null
      : schemaExample(some, name, schemas, { owner, ...(component && { component }), fixed, isShort, within })
  }
  const field = { name, owner }
  if ("const" in schema) return schema["const"]
  if (Array.isArray(schema["enum"])) {
    const word = inTable(exampleWords, field)
    return schema["enum"].includes(word) ? word : schema["enum"][0]
  }
  if (Array.isArray(examples)) return examples[0]
  switch (type) {
    case "object": {
      const members = Predicate.isObject(properties) ? Record.toEntries({ ...properties }) : []
      return Object.fromEntries(
        members.flatMap(([key, member]) => {
          if (isShort && !listOf(schema["required"]).includes(key)) return []
          if (key in fixed && !(Predicate.isObject(member) && "const" in member)) return [[key, fixed[key]]]
          if (isWithin(member)) return []
          return [[key, schemaExample(member, key, schemas, { owner: thingOf(name, component), within })]]
        })
      )
    }
    case "array":
      if (Array.isArray(inTable(exampleWords, field))) return inTable(exampleWords, field)
      return isWithin(schema["items"]) ? [] : [schemaExample(schema["items"], name, schemas, { owner, within })]
    case "number":
    case "integer": {
      const word = inTable(exampleWords, field)
      return Predicate.isNumber(word) ? word : missing
    }
    case "boolean":
      return !unusual.test(name)
    case "string":
      return textAt(field, schema)
    default:
      return type === "null" ? null : {}
  }
}
