import { Schema } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { Text } from "./Text.ts"

/** A valid phone number in E.164, such as `+14155552671`. */
export const PhoneNumber = Text.check(
  Schema.makeFilter((text) => {
    const parsed = text.startsWith("+") ? parsePhoneNumberFromString(text) : undefined
    return parsed?.number === text && parsed.isPossible() ? undefined : "must be a valid phone number in E.164 format"
  })
)
