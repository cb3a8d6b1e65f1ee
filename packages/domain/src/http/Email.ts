import { Schema, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

// One @, no white space, a dotted host: what every mail system accepts in practice, in linear time.
const email = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/

const refusal = "must be a valid email"

const valid = Schema.makeFilter((text: string) => (text.length <= 254 && email.test(text) ? undefined : refusal))

/** An email address, trimmed and in lower case once decoded, so that one person has one spelling. */
export const Email = textUpTo(lengths.email, { refusal, pattern: "^\\s*[^\\s@]+@[^\\s@]+\\s*$" })
  .pipe(Schema.decode(SchemaTransformation.trim()), Schema.decode(SchemaTransformation.toLowerCase()))
  .check(valid)
