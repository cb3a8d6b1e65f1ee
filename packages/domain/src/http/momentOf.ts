import { isDateOnly } from "./DateOnly.ts"

// ISO 8601: seconds, and the minutes of an offset, may be left out. JavaScript alone reads much else as a moment, `1` among it,
// and 30 February.
const form =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d+)?)?(Z|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)?$/i

/** The moment that a text (of at most 64 characters) is in ISO 8601; undefined when it is none. One without an offset is in UTC, or none at all. */
export const momentOf = (text: string, { isUtcWithoutOffset }: { readonly isUtcWithoutOffset: boolean }) => {
  const [, day = "", minutes = "", seconds = ":00", offset, hoursAway, minutesAway = "00"] = form.exec(text) ?? []
  if (!isDateOnly(day) || (offset === undefined && !isUtcWithoutOffset)) return undefined
  return new Date(`${day}T${minutes}${seconds}${hoursAway === undefined ? "Z" : `${hoursAway}:${minutesAway}`}`)
}
