import { Schema } from "effect"

/** True for a text that PostgreSQL can store: no NUL, no unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()

const storable = Schema.makeFilter((text: string) =>
  isStorable(text) ? undefined : "must not contain NUL or unpaired surrogate characters"
)

/** A string that PostgreSQL can store: no NUL, no unpaired surrogate. Every string that comes from outside is one. */
export const Text = Schema.String.check(storable)

/** A string with at least one character that is not white space. */
export const NonBlank = Text.check(Schema.makeFilter((text) => (text.trim() === "" ? "must not be empty" : undefined)))

const atMost = (length: number) =>
  Schema.makeFilter((text: string) => (text.length > length ? `must be at most ${length} characters long` : undefined))

/** A text of at most `length` characters. */
export const textUpTo = (length: number) => Text.check(atMost(length))

/** A text of at most `length` characters with at least one that is not white space. */
export const nonBlankUpTo = (length: number) => NonBlank.check(atMost(length))
