import { codeLike } from "./Text.ts"

/** Why something is no US postal code. */
export const zipCodeRefusal = "must be 5 digits, or 5+4 digits"

/** A US postal code: 5 digits, or 5+4. */
export const ZipCode = codeLike(/^\d{5}(-\d{4})?$/u, zipCodeRefusal).annotate({
  description: "A US postal code: 5 digits, or 5+4"
})

/** The five digits of a US postal code alone. */
export const FiveDigitZipCode = codeLike(/^\d{5}$/u, "must be exactly 5 digits").annotate({
  description: "A US postal code: exactly 5 digits"
})
