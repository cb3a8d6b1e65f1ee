import { Schema, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

// Characters with a meaning in the header of a mail, which could send it to somebody else, and invisible characters, with which two
// addresses that look alike would be two people.
const special = String.raw`()<>[\]:;,\\"\p{C}`

// One @, no white space, a dotted host. It matches in linear time.
const email = new RegExp(`^[^\\s@${special}]{1,64}@[^\\s@.${special}]+(\\.[^\\s@.${special}]+)+$`, "u")

const refusal = "must be a valid email"

const valid = Schema.makeFilter((text: string) => (text.length <= 254 && email.test(text) ? undefined : refusal))

// The document's pattern has no classes of Unicode, which other languages, and JavaScript without a flag, read otherwise.
const pattern = String.raw`^\s*[^\s@]+@[^\s@]+\s*$`

/** An email address, trimmed and in lower case once decoded, so that one person has one spelling. */
export const Email = textUpTo(lengths.email, { refusal, pattern })
  .pipe(Schema.decode(SchemaTransformation.trim()), Schema.decode(SchemaTransformation.toLowerCase()))
  .check(valid)
