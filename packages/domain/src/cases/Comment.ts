import { Schema } from "effect"
import { UserSummary } from "../auth/User.ts"
import { counts, lengths } from "../http/bounds.ts"
import { atMost, optionalListUpTo } from "../http/listUpTo.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { UserId } from "../Ids.ts"
import { Attachment, NewFile } from "./Attachment.ts"

/** A public comment, or an internal note when `isRestricted`. */
export const Comment = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  author: UserSummary,
  createdAt: Timestamp,
  isRestricted: Schema.Boolean,
  attachments: Schema.Array(Attachment).check(Schema.isMaxLength(counts.files))
}).annotate({ identifier: "Comment" })
export type Comment = typeof Comment.Type

/** A new comment of a user whom the organization knows. */
export const NewComment = Schema.Struct({
  authorUserId: Schema.optional(UserId),
  text: nonBlankUpTo(lengths.page),
  isRestricted: Schema.Boolean,
  attachments: optionalListUpTo(NewFile, atMost("files"))
})
export type NewComment = typeof NewComment.Type
