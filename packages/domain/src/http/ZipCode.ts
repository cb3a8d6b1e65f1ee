import { Schema } from "effect"
import { Text } from "./Text.ts"

/** A US postal code: 5 digits, or 5+4. */
export const ZipCode = Text.check(Schema.isPattern(/^\d{5}(-\d{4})?$/, { message: "must be 5 digits, or 5+4 digits" }))
