import { Schema, SchemaGetter, SchemaTransformation } from "effect"
import { iso31662 } from "iso-3166"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const prefix = "US-"

/** States of the USA, the District of Columbia and the outlying areas (ISO 3166-2:US): full name by two-letter code. */
export const usStates: ReadonlyMap<string, string> = new Map(
  iso31662.filter(({ code }) => code.startsWith(prefix)).map(({ code, name }) => [code.slice(prefix.length), name])
)

const codeByName = new Map([...usStates].map(([code, name]) => [name.toUpperCase(), code]))

/** The code of a US state that was told by its code or its name, in any letter case. What is neither stays, in upper case. */
export const ReportedUsState = Schema.String.pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decode(SchemaTransformation.toUpperCase()),
  Schema.decode({
    decode: SchemaGetter.transform((told) => codeByName.get(told) ?? told),
    encode: SchemaGetter.passthrough()
  })
)

/** Why something is no state of the USA. */
export const usStateRefusal = "must be the 2-letter code of a US state"

/** The two-letter code of a US state, in upper case once decoded. */
export const UsState = textUpTo(lengths.code, { refusal: usStateRefusal })
  .annotate({ description: "The 2-letter code of a US state, in any letter case" })
  .pipe(Schema.decode(SchemaTransformation.toUpperCase()))
  .check(Schema.makeFilter((code: string) => (usStates.has(code) ? undefined : usStateRefusal)))
