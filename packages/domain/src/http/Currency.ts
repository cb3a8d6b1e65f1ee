import { codeLike } from "./Text.ts"

/** A currency code in the form of ISO 4217. */
export const Currency = codeLike(/^[A-Z]{3}$/u, "must be three capital letters")
