import { Schema, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

/** One of a few words in upper case, in any letter case before it is decoded. */
export const anyCase = <const L extends ReadonlyArray<string>>(words: Schema.Literals<L>) =>
  textUpTo(lengths.code)
    .annotate({ description: `${words.literals.join(", ")}: in any letter case` })
    .pipe(Schema.decode(SchemaTransformation.toUpperCase()), Schema.decodeTo(words))
