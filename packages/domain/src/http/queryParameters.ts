import { identity, Option, Schema, SchemaGetter } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

// An optional parameter of a query, trimmed and changed by `read`. A blank one counts as missing.
const optionalParameter = (read: (text: string) => string) =>
  Schema.optionalKey(textUpTo(lengths.email)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.String), {
      decode: SchemaGetter.transformOptional((text) =>
        text.pipe(
          Option.map((value) => value.trim()),
          Option.filter((value) => value !== ""),
          Option.map(read)
        )
      ),
      encode: SchemaGetter.passthrough()
    })
  )

const lowerCase = (text: string) => text.toLowerCase()

// A plus that was not encoded arrives as a space.
const withPlus = (text: string) => (/^\d+$/.test(text) ? `+${text}` : text)

export const queryText = optionalParameter(identity)

export const queryEmail = optionalParameter(lowerCase)

/** A phone number in a query, with or without an encoded plus. */
export const queryPhoneNumber = optionalParameter(withPlus)

/** An email or a phone number in a query. */
export const queryReceiver = optionalParameter((text) => withPlus(lowerCase(text)))
