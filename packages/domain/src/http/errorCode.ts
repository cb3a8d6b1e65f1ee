import { Predicate } from "effect"

/** The header of error answers with the code of the error. */
export const errorCodeHeader = "care-error-code"

/** Returns the code of an error with a tag: `CASE_CLOSED` of `CaseClosed`. */
export const codeOfTag = (tag: string): string => tag.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase()

/** Returns the code of a domain error: its tag, which has no data of the request. Undefined for what has no tag. */
export const errorCodeOf = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" ? codeOfTag(error._tag) : undefined
