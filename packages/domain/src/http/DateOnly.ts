import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

// PostgreSQL knows no year 0.
const dateForm = /^(?!0000)\d{4}-\d{2}-\d{2}$/

/** What is said of a text that is no day. */
export const dateOnlyRefusal = "must be a date in the form YYYY-MM-DD"

export const isDateOnly = (text: string): boolean => {
  if (!dateForm.test(text)) return false
  const millis = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text)
}

/** A day that exists, as `YYYY-MM-DD`. */
export const DateOnly = textUpTo(lengths.code, { refusal: dateOnlyRefusal, format: "date" }).check(
  Schema.makeFilter((text: string) => (isDateOnly(text) ? undefined : dateOnlyRefusal))
)
