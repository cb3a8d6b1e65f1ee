import { Schema } from "effect"
import { UserSummary } from "../auth/User.ts"
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
