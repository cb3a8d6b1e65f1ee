import { Schema } from "effect"
import { nonBlankUpTo, textUpTo } from "../http/Text.ts"

/** A file as the back office sends it: `content` in base64. */
export const NewFile = Schema.Struct({
  fileName: nonBlankUpTo(500),
  contentType: Schema.optional(textUpTo(200)),
  content: Schema.String
})
export type NewFile = typeof NewFile.Type
