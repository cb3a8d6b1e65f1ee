import { Schema, SchemaTransformation } from "effect"
import { iso31661 } from "iso-3166"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const codes = new Set<string>(iso31661.map(({ alpha2 }) => alpha2))

const refusal = "must be a 2-letter ISO 3166 country code"

/** A two-letter country code (ISO 3166-1), in upper case once decoded. */
export const Country = textUpTo(lengths.code, { refusal })
  .annotate({ description: "A 2-letter code of ISO 3166, in any letter case" })
  .pipe(Schema.decode(SchemaTransformation.toUpperCase()))
  .check(Schema.makeFilter((code: string) => (codes.has(code) ? undefined : refusal)))
