import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be 5 digits, or 5+4 digits"

/** A US postal code: 5 digits, or 5+4. */
export const ZipCode = textUpTo(lengths.code, { refusal }).check(
  Schema.isPattern(/^\d{5}(-\d{4})?$/u, { message: refusal })
)
