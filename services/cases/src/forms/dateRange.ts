import { isDateOnly } from "@care/domain/http"

// `January 5, 2024`, `Jan 5 2024`, `1/5/2024`, `2024-01-05`: what people write. Anything else is no date.
const writtenDate = /^([A-Za-z]{3,9}\.? \d{1,2},? \d{4}|\d{1,2}\/\d{1,2}\/\d{4}|\d{4}-\d{2}-\d{2})$/
const isoDate = /^\d{4}-/
// Far longer than any range; the white space of a longer text would be gone through again and again.
const longestRange = 200
const separator = /\s+[-–—]\s+|\s*[–—]\s*/

const millisOf = (text: string): number | undefined => {
  if (!writtenDate.test(text) || (isoDate.test(text) && !isDateOnly(text))) return undefined
  const millis = Date.parse(isoDate.test(text) ? text : `${text} UTC`)
  if (Number.isNaN(millis)) return undefined
  // `February 30` is read as March 1: a day that is not there is no date.
  const day = /\d{4}-\d{2}-(\d{2})|\/(\d{1,2})\/|[A-Za-z.]+ (\d{1,2})/
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined)
  return new Date(millis).getUTCDate() === Number(day) ? millis : undefined
}

/**
 * True for a range that people read: a start date, a dash, and a later end date or the word indefinite. Dates are as in
 * `January 5, 2024 - indefinite` or `1/5/2024 - 2/5/2024`.
 */
export const isWrittenDateRange = (text: string): boolean => {
  if (text.length > longestRange) return false
  const [start = "", end = "", ...rest] = text.trim().split(separator)
  const from = millisOf(start)
  if (rest.length > 0 || from === undefined) return false
  if (end.toLowerCase() === "indefinite") return true
  const to = millisOf(end)
  return to !== undefined && to > from
}
