import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be an http or https URL"

/** Returns whether a parser reads a URL unchanged. Parsers remove white space around a URL and control characters in it. */
export const isReadAsShown = (url: string): boolean => url === url.trim() && !/\p{Cc}/u.test(url)

// Parsers also accept `https:host`, a space in the middle, and a backslash.
const isWebUrl = (text: string): boolean =>
  isReadAsShown(text) && /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text)

/** A URL that a page may link to. */
export const WebUrl = textUpTo(lengths.url, { format: "uri" }).check(
  Schema.makeFilter((text: string) => (isWebUrl(text) ? undefined : refusal))
)

export const WebUrlOrEmpty = textUpTo(lengths.url, { format: "uri-reference" }).check(
  Schema.makeFilter((text: string) => (text === "" || isWebUrl(text) ? undefined : refusal))
)
