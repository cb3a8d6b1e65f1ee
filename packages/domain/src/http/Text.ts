import { Option, Schema, SchemaGetter, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"

/** Whether PostgreSQL can store a text: it has no NUL and no unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()

/** Replaces each character that PostgreSQL cannot store by U+FFFD. */
export const storableOf = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed()

const storable = Schema.makeFilter((text: string) =>
  isStorable(text) ? undefined : "must not contain NUL or unpaired surrogate characters"
)

/** The refusal of a bounded text, and its form for the public document, which another check holds. */
interface TextOptions {
  readonly refusal?: string
  readonly format?: string
  readonly pattern?: string
}

const atMost = (length: number, { refusal = `must be at most ${length} characters long`, ...form }: TextOptions = {}) =>
  Schema.isMaxLength(length, { message: refusal, toJsonSchema: () => ({ maxLength: length, ...form }) }).abort()

/** A text of at most `length` characters that PostgreSQL can store. All texts from outside are such. Later checks see no longer text. */
export const textUpTo = (length: number, options: TextOptions = {}) =>
  Schema.String.check(storable, atMost(length, options))

export const codeLike = (form: RegExp, refusal: string) =>
  textUpTo(lengths.code, { refusal }).check(Schema.isPattern(form, { message: refusal }))

export const blankReason = "must not be empty"

const nonBlank = Schema.isPattern(/\S/u, { message: blankReason })

/** A text of at most `length` characters with at least one that is not white space. */
export const nonBlankUpTo = (length: number) => textUpTo(length).check(nonBlank)

const oneLine = Schema.isPattern(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, {
  message: "must not contain control, format or line separator characters",
  // Without classes of Unicode, which other languages, and JavaScript without a flag, read otherwise.
  toJsonSchema: () => ({ pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$` })
})

export const lineUpTo = (length: number) => textUpTo(length).check(oneLine)

/** The name or title of a person or an organization: one visible line, because messages have it in their text and headers. */
export const nameUpTo = (length: number) => nonBlankUpTo(length).check(oneLine)

/** A text of at most `length` characters that may be left out. A blank text counts as left out. */
export const optionalUpTo = (length: number, document: { readonly description?: string } = {}) =>
  Schema.optional(textUpTo(length).annotate(document)).pipe(
    Schema.decodeTo(Schema.optional(Schema.String), {
      decode: SchemaGetter.transformOptional(Option.filter((text) => text !== undefined && text.trim() !== "")),
      encode: SchemaGetter.passthrough()
    })
  )

/** A text of another server's event. Characters that PostgreSQL cannot store are replaced. It is for texts that people read, not for ids. */
export const externalTextUpTo = (length: number) =>
  Schema.String.check(atMost(length), nonBlank).pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform(storableOf),
      encode: SchemaGetter.passthrough()
    })
  )

/** An exact, not negative amount of money in major units as a decimal text, such as `299.00`. */
export const Decimal = codeLike(
  /^\d{1,10}(\.\d{1,2})?$/u,
  "must be a decimal with at most two places in a text, such as 299.00"
)

/** One of a few words in upper case, in any letter case before it is decoded. */
export const anyCase = <const L extends ReadonlyArray<string>>(words: Schema.Literals<L>) =>
  textUpTo(lengths.code)
    .annotate({ description: `${words.literals.join(", ")}: in any letter case` })
    .pipe(Schema.decode(SchemaTransformation.toUpperCase()), Schema.decodeTo(words))
