import { Schema } from "effect"
import { UserSummary } from "../auth/User.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { Attachment } from "./Attachment.ts"

/** A public comment, or an internal note when `isRestricted`. */
export class Comment extends Schema.Class<Comment>("Comment")({
  id: Schema.String,
  text: Schema.String,
  author: UserSummary,
  createdAt: Timestamp,
  isRestricted: Schema.Boolean,
  attachments: Schema.Array(Attachment)
}) {}
