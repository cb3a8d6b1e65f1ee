import { identity, Option, Schema, SchemaGetter } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

// A parameter of a query, as `read` makes it of the text without white space around it. A blank one is as if it were missing.
const given = (read: (text: string) => string) =>
  Schema.optionalKey(textUpTo(lengths.email)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.String), {
      decode: SchemaGetter.transformOptional((text) =>
        text.pipe(
          Option.map((said) => said.trim()),
          Option.filter((said) => said !== ""),
          Option.map(read)
        )
      ),
      encode: SchemaGetter.passthrough()
    })
  )

const lowerCase = (text: string) => text.toLowerCase()

// A plus that was not encoded has arrived as a space.
const withPlus = (text: string) => (/^\d+$/.test(text) ? `+${text}` : text)

/** An id or the like in a query. */
export const givenText = given(identity)

/** An email in a query, in lower case once decoded. */
export const givenEmail = given(lowerCase)

/** A phone number in a query; a plus that was not encoded is put back. */
export const givenPhoneNumber = given(withPlus)

/** An email or a phone number in a query. */
export const givenReceiver = given((text) => withPlus(lowerCase(text)))
