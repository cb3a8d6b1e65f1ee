import type { ErrorForm } from "./ErrorBody.ts"
import { RequestInvalid } from "./RequestErrors.ts"

/** 400 of a request with mistakes: their text, in one form. */
export const mistakesAs = (
  form: ErrorForm<number>,
  description = "Fields are missing or malformed: `<path>, <reason>; <path>, <reason>`"
) => form(RequestInvalid, 400, ({ text }) => text, description)
