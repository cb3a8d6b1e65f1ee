import { Schema } from "effect"
import { Text } from "./Text.ts"

const dateForm = /^\d{4}-\d{2}-\d{2}$/

/** True for a day that exists, as `YYYY-MM-DD`. */
export const isDateOnly = (text: string): boolean => {
  if (!dateForm.test(text)) return false
  const millis = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text)
}

/** A day that exists, as `YYYY-MM-DD`. */
export const DateOnly = Text.check(
  Schema.makeFilter((text: string) => (isDateOnly(text) ? undefined : "must be a date in the form YYYY-MM-DD"))
)
