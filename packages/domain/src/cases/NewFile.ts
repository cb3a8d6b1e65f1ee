import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { nonBlankUpTo, textUpTo } from "../http/Text.ts"

/** A file of the back office: `content` is base64. */
export const NewFile = Schema.Struct({
  fileName: nonBlankUpTo(lengths.wording),
  contentType: Schema.optional(textUpTo(lengths.line)),
  content: textUpTo(lengths.file)
})
export type NewFile = typeof NewFile.Type
