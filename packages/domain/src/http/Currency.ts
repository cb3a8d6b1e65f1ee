import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be three capital letters"

/** A currency code in the form of ISO 4217. */
export const Currency = textUpTo(lengths.code, { refusal }).check(Schema.isPattern(/^[A-Z]{3}$/u, { message: refusal }))
