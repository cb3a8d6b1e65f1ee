import { Schema, SchemaGetter } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { isDateOnly, momentOf } from "../http/Timestamp.ts"

const refusal = "must be a date in ISO 8601, such as 2026-03-31"

// A day without a time is in UTC.
const dayOf = (text: string): string =>
  isDateOnly(text) ? text : (momentOf(text, { isUtcWithoutOffset: true })?.toISOString().slice(0, 10) ?? "")

/** A day that exists, as `YYYY-MM-DD` once decoded. A moment is decoded as its day in UTC. */
export const IsoDay = textUpTo(lengths.code, { refusal })
  .annotate({ description: "A date in ISO 8601. Of a date and time, the day in UTC is used" })
  .pipe(Schema.decode({ decode: SchemaGetter.transform(dayOf), encode: SchemaGetter.passthrough() }))
  // The last hours of the year 9999 are in a later year elsewhere.
  .check(Schema.makeFilter((day: string) => (isDateOnly(day) ? undefined : refusal)))
