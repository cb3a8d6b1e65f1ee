import { Schema } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

const refusal = "must be an http or https URL"

/** A URL that a page may link to. */
export const WebUrl = textUpTo(lengths.url, { format: "uri" }).check(
  Schema.makeFilter((text: string) =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? undefined : refusal
  )
)
