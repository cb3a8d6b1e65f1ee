import { Schema, SchemaTransformation } from "effect"
import { Text } from "./Text.ts"

// One @, no white space, a dotted host: what every mail system accepts in practice, in linear time.
const email = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/

const valid = Schema.makeFilter((text: string) =>
  text.length <= 254 && email.test(text) ? undefined : "must be a valid email"
)

/** An email address, trimmed and in lower case once decoded, so that one person has one spelling. */
export const Email = Text.pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decode(SchemaTransformation.toLowerCase())
).check(valid)
