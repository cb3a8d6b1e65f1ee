import { Schema } from "effect"
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

/** A day that exists, as `YYYY-MM-DD`. */
export const DateOnly = textUpTo(lengths.code, { refusal: dateOnlyRefusal, format: "date" }).check(
  Schema.makeFilter((text: string) => (isDateOnly(text) ? undefined : dateOnlyRefusal))
)
