import { Schema, SchemaTransformation } from "effect"
import { codeLike } from "./Text.ts"

/** Two letters, of a state or a country that may be anywhere; in upper case once decoded. */
export const TwoLetters = codeLike(/^[A-Za-z]{2}$/u, "must be exactly 2 letters")
  .annotate({ description: "2 letters, in any letter case" })
  .pipe(Schema.decode(SchemaTransformation.toUpperCase()))
