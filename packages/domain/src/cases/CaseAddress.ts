import { Schema } from "effect"
import { textUpTo } from "../http/Text.ts"

const part = Schema.optional(textUpTo(200))

/** Where a case's medication goes, as intake takes it: every part may be missing. */
export const CaseAddress = Schema.Struct({
  addressLine1: part,
  addressLine2: part,
  city: part,
  state: part,
  country: part,
  postalCode: part
})
