import { Schema, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"
import { isDateOnly } from "./DateOnly.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be a date in ISO 8601, such as 2026-03-31"

const form = /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/u

// `Date` takes February 30, and a day without a time is one in UTC to it.
const isWritten = Schema.makeFilter((text: string) =>
  form.test(text) && isDateOnly(text.slice(0, 10)) ? undefined : refusal
)

const inUtc = SchemaTransformation.transform({
  decode: (text: string) => new Date(text).toISOString().slice(0, 10),
  encode: (day: string) => day
})

/** A day that exists, as `YYYY-MM-DD` once decoded. A moment with its offset from UTC is given for the day that it is in UTC. */
export const IsoDay = textUpTo(lengths.code, { refusal })
  .annotate({ description: "A date in ISO 8601; of a moment with its offset from UTC, the day that it is in UTC" })
  .check(isWritten)
  .pipe(Schema.decode(inUtc))
  // The last hours of the year 9999 are of a later one elsewhere.
  .check(Schema.makeFilter((day: string) => (isDateOnly(day) ? undefined : refusal)))
