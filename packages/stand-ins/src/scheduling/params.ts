import { DateTime, Option, Schema, SchemaTransformation } from "effect"

/** A field that may be absent. */
export const optional = Schema.optionalKey

/** A URI of a collection at any host, decoded to the id at its end. */
export const uriOf = (collection: string) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^https?://[^/]+/${collection}/[^/]+$`), {
      message: `has to be a URI of ${collection}`
    })
  ).pipe(
    Schema.decodeTo(
      Schema.String,
      SchemaTransformation.transform({ decode: (uri) => uri.slice(uri.lastIndexOf("/") + 1), encode: (id) => id })
    )
  )

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/

const isTime = (text: string): boolean => utc.test(text) && Option.isSome(DateTime.make(text))

/** A time in UTC, decoded to milliseconds. */
export const time = Schema.String.check(
  Schema.makeFilter(isTime, { message: "has to be a time in UTC, such as 2030-01-02T15:00:00Z" })
).pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transform({
      decode: (text) => DateTime.toEpochMillis(DateTime.makeUnsafe(text)),
      encode: (millis) => DateTime.formatIso(DateTime.makeUnsafe(millis))
    })
  )
)

export const email = Schema.String.check(
  Schema.isPattern(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, { message: "has to be an email address" })
)

export const timeZone = Schema.String.check(
  Schema.makeFilter((name: string) => Option.isSome(DateTime.zoneMakeNamed(name)), {
    message: "has to be a time zone, such as America/New_York"
  })
)

/** The parameters of all lists, as texts of a query. */
export const page = {
  count: optional(Schema.String.check(Schema.isPattern(/^([1-9]\d?|100)$/, { message: "has to be from 1 to 100" }))),
  page_token: optional(Schema.String)
}

/** The owner of a list's rows. */
export const owner = { user: optional(uriOf("users")), organization: optional(uriOf("organizations")) }

/** The order of a list. */
export const sortedBy = (field: string) => optional(Schema.Literals([`${field}:asc`, `${field}:desc`]))

/** The status of a list's bookings. */
export const status = optional(Schema.Literals(["active", "canceled"]))

const iso = (millis: number): string => new Date(millis).toISOString()

/** Returns a time as resources show it: with six digits of a second. */
export const micros = (millis: number): string => iso(millis).replace("Z", "000Z")

/** Returns a time as open slots show it: without fractions. */
export const seconds = (millis: number): string => iso(millis).replace(/\.\d+Z$/, "Z")
