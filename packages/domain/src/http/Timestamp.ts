import { Schema, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const first = new Date("0001-01-01T00:00:00.000Z")
const last = new Date("9999-12-31T23:59:59.999Z")

/** A moment that PostgreSQL can store, and that ISO 8601 writes with a year of four digits. */
export const isStorableMoment = Schema.makeFilter((moment: Date) =>
  moment >= first && moment <= last ? undefined : "must be in the years 1 to 9999"
)

const Written = textUpTo(lengths.code, { format: "date-time" }).annotate({
  description: "ISO 8601, UTC with milliseconds"
})

/** A moment, on the wire in ISO 8601: UTC with milliseconds and `Z`. */
export const Timestamp = Schema.Date.annotate({
  toCodecJson: () => Schema.link<Date>()(Written, SchemaTransformation.dateFromString)
}).check(isStorableMoment)
