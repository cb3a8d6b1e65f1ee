import { Schema } from "effect"

const isStorable = Schema.makeFilter((text: string) =>
  text.includes("\u0000") || !text.isWellFormed() ? "must not contain NUL or unpaired surrogate characters" : undefined
)

/** A string that PostgreSQL can store: no NUL, no unpaired surrogate. Every string that comes from outside is one. */
export const Text = Schema.String.check(isStorable)

/** A string with at least one character that is not white space. */
export const NonBlank = Text.check(Schema.makeFilter((text) => (text.trim() === "" ? "must not be empty" : undefined)))

const atMost = (length: number) =>
  Schema.makeFilter((text: string) => (text.length > length ? `must be at most ${length} characters long` : undefined))

/** A text of at most `length` characters. */
export const textUpTo = (length: number) => Text.check(atMost(length))

/** A text of at most `length` characters with at least one that is not white space. */
export const nonBlankUpTo = (length: number) => NonBlank.check(atMost(length))
