import { Schema } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be a valid phone number in E.164 format"

/** A valid phone number in E.164, such as `+14155552671`. */
export const PhoneNumber = textUpTo(lengths.code, { refusal, pattern: "^\\+[1-9][0-9]{1,14}$" }).check(
  Schema.makeFilter((text) => {
    const parsed = text.startsWith("+") ? parsePhoneNumberFromString(text) : undefined
    return parsed?.number === text && parsed.isPossible() ? undefined : refusal
  })
)
