import { isDateOnly } from "@care/domain/http"

/** The first and the last day of a written day, month or year, as `YYYY-MM-DD`. */
interface Days {
  readonly first: string
  readonly last: string
}

/** The written parts of a date: a year, a month or a day. In a range, one date may leave its year to the other. */
interface WrittenDate {
  readonly year?: string | undefined
  readonly month?: number | undefined
  readonly day?: string | undefined
}

// Far longer than any real range. The pattern takes quadratic time on white space.
const maxLength = 200

// Unicode does not count the minus sign among the dashes.
const dash = /\s*[\p{Pd}\u2212]\s*|\s+(?:to|until|till|through)\s+/gu
const openEnds = ["indefinite", "indefinitely", "present", "now", "today", "current", "ongoing"]

const monthNames = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december"
]

const year = "(?<year>(?:19|20|21)\\d{2})"
const name = "(?<name>[a-z]{3,9})\\.?"
const month = "(?<month>\\d{1,2})"
const ordinal = "(?<day>\\d{1,2})(?:st|nd|rd|th)?"

// Lower case: `2024-01-05`, `2024-01`, `2024/1/5`, `2024`; `1/5/2024`, `1/2024`; `january 5, 2024`, `jan. 5th 2024`,
// `5 january 2024`, `jan 2024`, `1/5/24`. Without a year: `jan 5`, `5 jan`, `jan`, `1/5`.
const forms = [
  `${year}(?:-(?<month>\\d{2})(?:-(?<day>\\d{2}))?)?`,
  `${year}/${month}/(?<day>\\d{1,2})`,
  `${month}/(?:(?<day>\\d{1,2})/)?${year}`,
  `${month}/(?<day>\\d{1,2})(?:/(?<shortYear>\\d{2}))?`,
  `${name}(?: ?${ordinal})?(?:(?:, ?| of | )${year})?`,
  `${ordinal}(?: of)? ${name}(?:(?:, ?| of | )${year})?`
].map((form) => new RegExp(`^${form}$`))

const monthOf = (written: string): number | undefined => {
  const index = monthNames.findIndex(
    (monthName) =>
      monthName === written || monthName.slice(0, 3) === written || (monthName === "september" && written === "sept")
  )
  return index < 0 ? undefined : index + 1
}

// As in POSIX: 69 to 99 are 1969 to 1999.
const fullYear = (short: string): string => `${Number(short) < 69 ? "20" : "19"}${short}`

const writtenDate = (text: string): WrittenDate | undefined => {
  for (const form of forms) {
    const groups = form.exec(text)?.groups
    if (groups === undefined) continue
    const { day, month, name, shortYear } = groups
    const number = name === undefined ? (month === undefined ? undefined : Number(month)) : monthOf(name)
    if (name !== undefined && number === undefined) return undefined
    return { year: shortYear === undefined ? groups["year"] : fullYear(shortYear), month: number, day }
  }
  return undefined
}

const twoDigits = (part: number | string): string => String(part).padStart(2, "0")

const daysOf = ({ day, month }: WrittenDate, yearNumber: number): Days | undefined => {
  if (month === undefined) return { first: `${yearNumber}-01-01`, last: `${yearNumber}-12-31` }
  const yearMonth = `${yearNumber}-${twoDigits(month)}`
  const days =
    day === undefined
      ? { first: `${yearMonth}-01`, last: `${yearMonth}-31` }
      : { first: `${yearMonth}-${twoDigits(day)}`, last: `${yearMonth}-${twoDigits(day)}` }
  return isDateOnly(days.first) ? days : undefined
}

// A date without a year is in the year of the other, or in the year next to it (`Dec 20 - Jan 5, 2024`). The other must have a month:
// `Jan-2024` is no range.
const yearsOf = (date: WrittenDate, other: WrittenDate, next: 1 | -1): ReadonlyArray<number> => {
  if (date.year !== undefined) return [Number(date.year)]
  return other.year === undefined || other.month === undefined ? [] : [Number(other.year), Number(other.year) + next]
}

const isRange = (from: string, to: string): boolean => {
  const start = writtenDate(from)
  if (start === undefined) return false
  if (openEnds.includes(to)) return start.year !== undefined && daysOf(start, Number(start.year)) !== undefined
  const end = writtenDate(to)
  if (end === undefined) return false
  const lastDays = yearsOf(end, start, 1).flatMap((yearNumber) => daysOf(end, yearNumber)?.last ?? [])
  return yearsOf(start, end, -1)
    .flatMap((yearNumber) => daysOf(start, yearNumber)?.first ?? [])
    .some((first) => lastDays.some((last) => first <= last))
}

/**
 * Returns whether a text is a range: a start date, a dash, and an end date that is not before it, or a word such as indefinite. A date is a
 * day, a month or a year: `January 5, 2024 - indefinite`, `Jan 1st 2024 – Mar 2024`, `2023-2024`. Tries each dash, because dates may
 * contain dashes.
 */
export const isWrittenDateRange = (text: string): boolean => {
  if (text.length > maxLength) return false
  const normalized = text.trim().replace(/\s+/gu, " ").toLowerCase()
  return Array.from(normalized.matchAll(dash)).some(({ 0: separator, index }) =>
    isRange(normalized.slice(0, index), normalized.slice(index + separator.length))
  )
}
