import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const part = Schema.optional(textUpTo(lengths.line))

/** Where something is sent to, as intake takes it: every part may be missing. */
export const PostalAddress = Schema.Struct({
  addressLine1: part,
  addressLine2: part,
  city: part,
  state: part,
  country: part,
  postalCode: part
})
