import { Schema } from "effect"
import { lengths } from "./bounds.ts"

/** True for a text that PostgreSQL can store: no NUL, no unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()

const storable = Schema.makeFilter((text: string) =>
  isStorable(text) ? undefined : "must not contain NUL or unpaired surrogate characters"
)

/** How a bounded text is refused, and what the public document says of its form, which is checked elsewhere. */
interface TextOptions {
  readonly refusal?: string
  readonly format?: string
  readonly pattern?: string
}

/**
 * A text of at most `length` characters that PostgreSQL can store: every text that comes from outside is one. What is
 * checked after the length sees no longer text.
 */
export const textUpTo = (
  length: number,
  { refusal = `must be at most ${length} characters long`, ...form }: TextOptions = {}
) =>
  Schema.String.check(
    storable,
    Schema.isMaxLength(length, { message: refusal, toJsonSchema: () => ({ maxLength: length, ...form }) }).abort()
  )

/** A short text of one form, such as a code: whatever is not is refused with one sentence. */
export const codeLike = (form: RegExp, refusal: string) =>
  textUpTo(lengths.code, { refusal }).check(Schema.isPattern(form, { message: refusal }))

/** A text of at most `length` characters with at least one that is not white space. */
export const nonBlankUpTo = (length: number) =>
  textUpTo(length).check(Schema.isPattern(/\S/u, { message: "must not be empty" }))
