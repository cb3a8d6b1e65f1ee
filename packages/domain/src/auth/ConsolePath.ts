import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"

/** Returns whether a text leads to a page of the console when it is put behind `/console`: to no other site, and not to the sign-in itself. */
export const isConsolePath = (text: string): boolean => {
  if (text.length > lengths.url || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return false
  const { pathname } = new URL(`/console${text}`, "http://localhost")
  return pathname.startsWith("/console/") && !pathname.startsWith("/console/sign-in")
}

/** The page of the console that a person wanted, as its path behind `/console` with its search parameters. */
export const ConsolePath = textUpTo(lengths.url).check(
  Schema.makeFilter((text: string) => (isConsolePath(text) ? undefined : "must be a path of the console"))
)
