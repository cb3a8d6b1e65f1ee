import { Schema, SchemaTransformation } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { currencyRefusal, isCurrency } from "./money.ts"

/** A currency of ISO 4217 for payments: in any letter case on the wire, in upper case once decoded. */
export const Currency = textUpTo(lengths.code, { refusal: currencyRefusal })
  .annotate({ description: "An ISO 4217 code in any letter case" })
  .pipe(Schema.decode(SchemaTransformation.toUpperCase()))
  .check(Schema.makeFilter((code: string) => (isCurrency(code) ? undefined : currencyRefusal)))
