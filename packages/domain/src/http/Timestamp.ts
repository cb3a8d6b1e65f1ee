import { Effect, Schema, SchemaGetter, SchemaIssue, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"
import { momentOf } from "./momentOf.ts"
import { textUpTo } from "./Text.ts"

const first = new Date("0001-01-01T00:00:00.000Z")
const last = new Date("9999-12-31T23:59:59.999Z")

/** A moment that PostgreSQL can store, and that ISO 8601 writes with a year of four digits. */
export const isStorableMoment = Schema.makeFilter((moment: Date) =>
  moment >= first && moment <= last ? undefined : "must be in the years 1 to 9999"
)

const moment = (isUtcWithoutOffset: boolean, refusal: string, description: string) =>
  Schema.Date.annotate({
    toCodecJson: () =>
      Schema.link<Date>()(textUpTo(lengths.code, { refusal, format: "date-time" }).annotate({ description }), {
        decode: SchemaGetter.transformEffect((text) => {
          const moment = momentOf(text, { isUtcWithoutOffset })
          return moment === undefined
            ? Effect.fail(new SchemaIssue.InvalidValue({ message: refusal }))
            : Effect.succeed(moment)
        }),
        encode: SchemaTransformation.dateFromString.encode
      })
  }).check(isStorableMoment)

/** A moment, on the wire in ISO 8601: read with any offset, written in UTC with milliseconds and `Z`. */
export const Timestamp = moment(
  false,
  "must be a date and time in ISO 8601 with an offset, such as 2026-08-01T10:00:00Z",
  "ISO 8601: sent with any offset, the seconds may be left out; answered in UTC with milliseconds"
)

/** A moment of a calendar: the same, in UTC when it is sent without an offset. */
export const CalendarTime = moment(
  true,
  "must be a date and time in ISO 8601, such as 2026-08-01T10:00:00Z",
  "ISO 8601: in UTC unless an offset is sent, the seconds may be left out"
)
