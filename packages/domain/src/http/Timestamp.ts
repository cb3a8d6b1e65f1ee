import { Effect, Schema, SchemaGetter, SchemaIssue, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"
import { isDateOnly } from "./DateOnly.ts"
import { textUpTo } from "./Text.ts"

const first = new Date("0001-01-01T00:00:00.000Z")
const last = new Date("9999-12-31T23:59:59.999Z")

/** A moment that PostgreSQL can store, and that ISO 8601 writes with a year of four digits. */
export const isStorableMoment = Schema.makeFilter((moment: Date) =>
  moment >= first && moment <= last ? undefined : "must be in the years 1 to 9999"
)

const refusal = "must be a date and time in ISO 8601 with an offset, such as 2026-08-01T10:00:00Z"

// RFC 3339, as the document's `date-time` says. JavaScript alone reads much else as a moment, `1` among it, and 30 February.
const form = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const Written = textUpTo(lengths.code, { refusal, format: "date-time" }).annotate({
  description: "ISO 8601: sent with any offset, answered in UTC with milliseconds"
})

/** A moment, on the wire in ISO 8601: read with any offset, written in UTC with milliseconds and `Z`. */
export const Timestamp = Schema.Date.annotate({
  toCodecJson: () =>
    Schema.link<Date>()(Written, {
      decode: SchemaGetter.transformEffect((text) =>
        form.test(text) && isDateOnly(text.slice(0, 10))
          ? Effect.succeed(new Date(text))
          : Effect.fail(new SchemaIssue.InvalidValue({ message: refusal }))
      ),
      encode: SchemaTransformation.dateFromString.encode
    })
}).check(isStorableMoment)
