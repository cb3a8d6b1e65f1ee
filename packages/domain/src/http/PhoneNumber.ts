import { Schema, SchemaGetter } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be a valid phone number in E.164 format"

const isPhoneNumber = (text: string): boolean => {
  const parsed = text.startsWith("+") ? parsePhoneNumberFromString(text) : undefined
  return parsed?.number === text && parsed.isPossible()
}

/** A possible phone number in E.164, such as `+14155552671`. */
export const PhoneNumber = textUpTo(lengths.code, { refusal, pattern: "^\\+[1-9][0-9]{1,14}$" }).check(
  Schema.makeFilter((text) => (isPhoneNumber(text) ? undefined : refusal))
)

const writtenRefusal = "must be a valid phone number"

/** A possible phone number in E.164 or in the form of the USA, `(415) 555-2671`; in E.164 once decoded. */
export const WrittenPhoneNumber = textUpTo(lengths.code, { refusal: writtenRefusal })
  .annotate({
    description:
      "In E.164, such as +14155552671, or in US format. It has to be a possible number, but need not be assigned"
  })
  .pipe(
    Schema.decode({
      decode: SchemaGetter.transform((text) => {
        const parsed = parsePhoneNumberFromString(text, "US")
        // The number without its extension reaches another person.
        return parsed?.isPossible() === true && parsed.ext === undefined ? parsed.number : ""
      }),
      encode: SchemaGetter.passthrough()
    })
  )
  .check(Schema.makeFilter((text) => (isPhoneNumber(text) ? undefined : writtenRefusal)))
