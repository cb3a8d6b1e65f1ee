import { Schema, SchemaGetter } from "effect"
import { lengths } from "./bounds.ts"
import { isDateOnly } from "./DateOnly.ts"
import { momentOf } from "./momentOf.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be a date in ISO 8601, such as 2026-03-31"

// A day without a time is one in UTC.
const dayOf = (text: string): string =>
  isDateOnly(text) ? text : (momentOf(text, { isUtcWithoutOffset: true })?.toISOString().slice(0, 10) ?? "")

/** A day that exists, as `YYYY-MM-DD` once decoded. A moment is given for the day that it is in UTC. */
export const IsoDay = textUpTo(lengths.code, { refusal })
  .annotate({ description: "A date in ISO 8601; of a moment, the day that it is in UTC" })
  .pipe(Schema.decode({ decode: SchemaGetter.transform(dayOf), encode: SchemaGetter.passthrough() }))
  // The last hours of the year 9999 are of a later one elsewhere.
  .check(Schema.makeFilter((day: string) => (isDateOnly(day) ? undefined : refusal)))
