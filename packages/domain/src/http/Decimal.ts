import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be a decimal string with at most two decimals, such as 299.00"

/** An exact amount of money in major units as a decimal string, such as `299.00`: never negative, never a float. */
export const Decimal = textUpTo(lengths.code, { refusal }).check(
  Schema.isPattern(/^\d{1,10}(\.\d{1,2})?$/u, { message: refusal })
)
