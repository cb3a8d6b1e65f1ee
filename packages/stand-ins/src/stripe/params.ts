import { Schema, SchemaTransformation } from "effect"
import { invalid } from "./Refusal.ts"

/** A field that may be absent. */
export const optional = Schema.optionalKey

export const integer = Schema.String.check(
  Schema.isPattern(/^-?\d{1,15}$/, { message: "parameter_invalid_integer" })
).pipe(Schema.decodeTo(Schema.Number, SchemaTransformation.numberFromString))

/** A text that is not empty. */
export const text = Schema.String.check(Schema.isNonEmpty({ message: "parameter_invalid_empty" }))

/** A text that an empty one clears. */
export const clearable = Schema.String.pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    SchemaTransformation.transform({
      decode: (value) => (value === "" ? null : value),
      encode: (value) => value ?? ""
    })
  )
)

/** An email address that an empty one clears. */
export const email = Schema.String.check(Schema.isPattern(/^(\S+@\S+\.\S+)?$/, { message: "email_invalid" })).pipe(
  Schema.decodeTo(clearable)
)

export const flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({
      decode: (value) => value === "true",
      encode: (value) => (value ? "true" : "false")
    })
  )
)

/** A list, `a[0]=&a[1]=`. */
export const list = <A, E>(item: Schema.Codec<A, E>) =>
  Schema.Record(Schema.String, item).pipe(
    Schema.decodeTo(
      Schema.Array(Schema.toType(item)),
      SchemaTransformation.transform({
        decode: (entries): ReadonlyArray<A> => Object.values(entries),
        encode: (items) => Object.fromEntries(items.entries())
      })
    )
  )

/** Texts by name. An empty text removes its name; an empty text instead of the record removes all. */
export const metadata = Schema.Union([Schema.Literal(""), Schema.Record(Schema.String, Schema.String)])

const isSmall = ([name, value]: readonly [string, string]): boolean => name.length <= 40 && value.length <= 500

/** Returns metadata after a change of it. */
export const metadataAfter = (
  before: Readonly<Record<string, string>>,
  change: typeof metadata.Type | undefined
): Readonly<Record<string, string>> => {
  if (change === undefined) return before
  if (change === "") return {}
  const entries = Object.entries({ ...before, ...change }).filter(([, value]) => value !== "")
  if (entries.length > 50 || !entries.every(isSmall)) {
    throw invalid("Metadata has at most 50 names of 40 characters, each with a text of 500.", { param: "metadata" })
  }
  return Object.fromEntries(entries)
}

/** The creation times of a list's objects. */
export const createdFilter = Schema.Union([
  integer,
  Schema.Struct({ gt: optional(integer), gte: optional(integer), lt: optional(integer), lte: optional(integer) })
])

/** The parameters of all lists. */
export const page = {
  limit: optional(integer),
  starting_after: optional(text),
  ending_before: optional(text)
}

export const address = Schema.Struct({
  city: optional(clearable),
  country: optional(clearable),
  line1: optional(clearable),
  line2: optional(clearable),
  postal_code: optional(clearable),
  state: optional(clearable)
})

const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }

/** Returns an address with all of its fields. */
export const wholeAddress = (fields: typeof address.Type | undefined) => ({ ...noAddress, ...fields })

export const shipping = Schema.Struct({
  address,
  name: optional(text),
  carrier: optional(clearable),
  phone: optional(clearable),
  tracking_number: optional(clearable)
})

/** Returns the values without those that are undefined, so that spreading them replaces nothing. */
export const definedFields = <A extends object>(values: A): { [Name in keyof A]?: Exclude<A[Name], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as A
