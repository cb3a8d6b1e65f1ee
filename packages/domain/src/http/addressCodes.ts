import { Schema, SchemaTransformation } from "effect"
import { iso31661 } from "iso-3166"
import { lengths } from "./bounds.ts"
import { codeLike, textUpTo } from "./Text.ts"
import { usStates } from "./usStates.ts"

/** Two letters, in upper case once decoded: the code of a state or a country anywhere. */
export const TwoLetters = codeLike(/^[A-Za-z]{2}$/u, "must be exactly 2 letters")
  .annotate({ description: "Two letters, in any letter case" })
  .pipe(Schema.decode(SchemaTransformation.toUpperCase()))

// A code in any letter case, of a list; in upper case once decoded.
const listedCode = (codes: { readonly has: (code: string) => boolean }, refusal: string, description: string) =>
  textUpTo(lengths.code, { refusal })
    .annotate({ description })
    .pipe(Schema.decode(SchemaTransformation.toUpperCase()))
    .check(Schema.makeFilter((code: string) => (codes.has(code) ? undefined : refusal)))

/** A two-letter country code (ISO 3166-1), in upper case once decoded. */
export const Country = listedCode(
  new Set(iso31661.map(({ alpha2 }): string => alpha2)),
  "must be a 2-letter ISO 3166 country code",
  "An ISO 3166 country code of two letters, in any letter case"
)

export const usStateRefusal = "must be the 2-letter code of a US state"

/** The two-letter code of a US state, in upper case once decoded. */
export const UsState = listedCode(usStates, usStateRefusal, "The two-letter code of a US state, in any letter case")

export const zipCodeRefusal = "must be 5 digits, or 5+4 digits"

export const ZipCode = codeLike(/^\d{5}(-\d{4})?$/u, zipCodeRefusal).annotate({
  description: "A US postal code: 5 digits or ZIP+4"
})
