import { DateTime, Option, Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be an IANA time zone, such as America/New_York"

// The runtime also accepts offsets such as +02:00, which have no summer time.
const isZone = Schema.makeFilter((text: string) =>
  /^[A-Za-z]/.test(text) && Option.isSome(DateTime.zoneMakeNamed(text)) ? undefined : refusal
)

/** The name of a time zone that the runtime knows. Older names are allowed. */
export const TimeZone = textUpTo(lengths.code, { refusal })
  .annotate({ description: "An IANA time zone, such as America/New_York" })
  .check(isZone)
