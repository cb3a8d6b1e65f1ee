import { Effect, Schema, SchemaGetter, SchemaIssue, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

// PostgreSQL knows no year 0.
const dateForm = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

// The calendar repeats every 400 years. The later year avoids that JavaScript takes a year before 100 for one of the 1900s.
const daysOfMonth = (year: number, month: number): number => new Date(Date.UTC(year + 400, month, 0)).getUTCDate()

export const dateOnlyRefusal = "must be a date in the form YYYY-MM-DD"

export const isDateOnly = (text: string): boolean => {
  if (!dateForm.test(text)) return false
  const day = Number(text.slice(8))
  // Every month has 28 days, and this runs for every moment that is decoded.
  return day <= 28 || day <= daysOfMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7)))
}

export const DateOnly = textUpTo(lengths.code, { refusal: dateOnlyRefusal, format: "date" }).check(
  Schema.makeFilter((text: string) => (isDateOnly(text) ? undefined : dateOnlyRefusal))
)

// ISO 8601. Seconds, and the minutes of an offset, may be left out. JavaScript alone also accepts `1` and 30 February.
const form =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d+)?)?(Z|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)?$/i

/** Parses a moment in ISO 8601 from a text of at most 64 characters. Without an offset it is in UTC, or undefined. */
export const momentOf = (text: string, { isUtcWithoutOffset }: { readonly isUtcWithoutOffset: boolean }) => {
  const [, day = "", minutes = "", seconds = ":00", offset, hoursAway, minutesAway = "00"] = form.exec(text) ?? []
  if (!isDateOnly(day) || (offset === undefined && !isUtcWithoutOffset)) return undefined
  return new Date(`${day}T${minutes}${seconds}${hoursAway === undefined ? "Z" : `${hoursAway}:${minutesAway}`}`)
}

const first = new Date("0001-01-01T00:00:00.000Z")

/** The last moment whose year has four digits. */
export const lastMoment = new Date("9999-12-31T23:59:59.999Z")

/** Checks that PostgreSQL can store a moment, and that its year has four digits. */
export const isStorableMoment = Schema.makeFilter((moment: Date) =>
  moment >= first && moment <= lastMoment ? undefined : "must be in the years 1 to 9999"
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

/** A moment in ISO 8601. It is read with any offset, and written in UTC with milliseconds and `Z`. */
export const Timestamp = moment(
  false,
  "must be a date and time in ISO 8601 with an offset, such as 2026-08-01T10:00:00Z",
  "ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds"
)

/** A moment of a calendar, which is in UTC if it has no offset. */
export const CalendarTime = moment(
  true,
  "must be a date and time in ISO 8601, such as 2026-08-01T10:00:00Z",
  "ISO 8601, in UTC unless it has an offset. The seconds are optional"
)
