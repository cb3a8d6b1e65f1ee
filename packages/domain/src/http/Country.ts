import { Schema, SchemaTransformation } from "effect"
import { iso31661 } from "iso-3166"
import { Text } from "./Text.ts"

const codes = new Set<string>(iso31661.map(({ alpha2 }) => alpha2))

/** A two-letter country code (ISO 3166-1), in upper case once decoded. */
export const Country = Text.pipe(Schema.decode(SchemaTransformation.toUpperCase())).check(
  Schema.makeFilter((code: string) => (codes.has(code) ? undefined : "must be a 2-letter ISO 3166 country code"))
)
