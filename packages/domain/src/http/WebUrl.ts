import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be an http or https URL"

/** True for a URL that is read as it is shown: what reads URLs leaves out the white space around and the tabs within them. */
export const isReadAsShown = (url: string): boolean => url === url.trim() && !/\p{Cc}/u.test(url)

// What reads URLs repairs what is not written as one: `https:host`, a space in the middle, a backslash.
const isWebUrl = (text: string): boolean =>
  isReadAsShown(text) && /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text)

/** A URL that a page may link to. */
export const WebUrl = textUpTo(lengths.url, { format: "uri" }).check(
  Schema.makeFilter((text: string) => (isWebUrl(text) ? undefined : refusal))
)

/** The same, or the empty text where there is none. */
export const WebUrlOrEmpty = textUpTo(lengths.url, { format: "uri-reference" }).check(
  Schema.makeFilter((text: string) => (text === "" || isWebUrl(text) ? undefined : refusal))
)
