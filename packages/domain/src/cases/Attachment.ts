import { Schema } from "effect"
import { UserSummary } from "../auth/User.ts"
import { lengths } from "../http/bounds.ts"
import { nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"

/** A file of a case: with `content` (base64) or `url`, as requested. `size` is in bytes. */
export const Attachment = Schema.Struct({
  id: Schema.String,
  fileName: Schema.String,
  contentType: Schema.String,
  size: Schema.Natural,
  uploadedAt: Timestamp,
  content: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String),
  uploadedBy: UserSummary
}).annotate({ identifier: "Attachment" })
export type Attachment = typeof Attachment.Type

/** A file of the back office: `content` is base64. */
export const NewFile = Schema.Struct({
  fileName: nonBlankUpTo(lengths.wording),
  contentType: Schema.optional(textUpTo(lengths.line)),
  content: textUpTo(lengths.file)
})
export type NewFile = typeof NewFile.Type
