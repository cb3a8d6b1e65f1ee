import { codeLike } from "./Text.ts"

/** An exact amount of money in major units as a decimal string, such as `299.00`: never negative, never a float. */
export const Decimal = codeLike(
  /^\d{1,10}(\.\d{1,2})?$/u,
  "must be a decimal with at most two places in a text, such as 299.00"
)
