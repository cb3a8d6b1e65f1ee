import { Option, Schema, SchemaGetter } from "effect"
import { lengths } from "./bounds.ts"

/** True for a text that PostgreSQL can store: no NUL, no unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()

/** The same text, with U+FFFD in place of each character that PostgreSQL cannot store. */
export const storableOf = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed()

const storable = Schema.makeFilter((text: string) =>
  isStorable(text) ? undefined : "must not contain NUL or unpaired surrogate characters"
)

/** How a bounded text is refused, and what the public document says of its form, which is checked elsewhere. */
interface TextOptions {
  readonly refusal?: string
  readonly format?: string
  readonly pattern?: string
}

const atMost = (length: number, { refusal = `must be at most ${length} characters long`, ...form }: TextOptions = {}) =>
  Schema.isMaxLength(length, { message: refusal, toJsonSchema: () => ({ maxLength: length, ...form }) }).abort()

/**
 * A text of at most `length` characters that PostgreSQL can store: every text that comes from outside is one. What is
 * checked after the length sees no longer text.
 */
export const textUpTo = (length: number, options: TextOptions = {}) =>
  Schema.String.check(storable, atMost(length, options))

/** A short text of one form, such as a code: whatever is not is refused with one sentence. */
export const codeLike = (form: RegExp, refusal: string) =>
  textUpTo(lengths.code, { refusal }).check(Schema.isPattern(form, { message: refusal }))

/** Why a text is refused that has nothing but white space. */
export const blankReason = "must not be empty"

const nonBlank = Schema.isPattern(/\S/u, { message: blankReason })

/** A text of at most `length` characters with at least one that is not white space. */
export const nonBlankUpTo = (length: number) => textUpTo(length).check(nonBlank)

const oneLine = Schema.isPattern(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, {
  message: "must not contain control, format or line separator characters"
})

/** A text of at most `length` characters in one line: what names and titles have in common. */
export const lineUpTo = (length: number) => textUpTo(length).check(oneLine)

/**
 * The name or title of a person or an organization: one line, of nothing that is not seen, because messages have it in their
 * text and headers.
 */
export const nameUpTo = (length: number) => nonBlankUpTo(length).check(oneLine)

/** A text of at most `length` characters that may be left out, as a blank one is. */
export const optionalUpTo = (length: number, document: { readonly description?: string } = {}) =>
  Schema.optional(textUpTo(length).annotate(document)).pipe(
    Schema.decodeTo(Schema.optional(Schema.String), {
      decode: SchemaGetter.transformOptional(Option.filter((text) => text !== undefined && text.trim() !== "")),
      encode: SchemaGetter.passthrough()
    })
  )

/**
 * What is not blank, told by a server that signed it and cannot say it in another way: what PostgreSQL cannot store of it is replaced.
 * For texts that people read, not for ids.
 */
export const externalTextUpTo = (length: number) =>
  Schema.String.check(atMost(length), nonBlank).pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform(storableOf),
      encode: SchemaGetter.passthrough()
    })
  )
