import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

// PostgreSQL knows no year 0.
const dateForm = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

// The day before the first of the next month. The calendar is the same after 400 years, and there the years before 100 are none of the 1900s.
const daysOfMonth = (year: number, month: number): number => new Date(Date.UTC(year + 400, month, 0)).getUTCDate()

/** What is said of a text that is no day. */
export const dateOnlyRefusal = "must be a date in the form YYYY-MM-DD"

export const isDateOnly = (text: string): boolean => {
  if (!dateForm.test(text)) return false
  const day = Number(text.slice(8))
  // Every month has these, and every moment that is read is looked at.
  return day <= 28 || day <= daysOfMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7)))
}

/** A day that exists, as `YYYY-MM-DD`. */
export const DateOnly = textUpTo(lengths.code, { refusal: dateOnlyRefusal, format: "date" }).check(
  Schema.makeFilter((text: string) => (isDateOnly(text) ? undefined : dateOnlyRefusal))
)
