import { Schema } from "effect"
import { UserSummary } from "../auth/User.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId } from "../Ids.ts"
import { Attachment } from "./Attachment.ts"
import { CaseCalendarEvent } from "./CaseCalendarEvent.ts"
import { CaseStatus } from "./CaseStatus.ts"
import { Comment } from "./Comment.ts"
import { Decision } from "./Decision.ts"
import { newestOf } from "./newestOf.ts"
import { Order } from "./Order.ts"
import { VisitType } from "./VisitType.ts"

/**
 * A case as its partner reads it, with the newest entries of its lists. `attachments`, `calendarEvents` and `orders`
 * are present only when requested.
 */
export const CaseDetail = Schema.Struct({
  id: CaseId,
  shortId: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  title: Schema.String,
  status: CaseStatus,
  type: VisitType,
  submitter: UserSummary,
  assignedTo: Schema.NullOr(UserSummary),
  assignedBy: Schema.NullOr(UserSummary),
  inProgressAt: Schema.NullOr(Timestamp),
  closedAt: Schema.NullOr(Timestamp),
  isArchived: Schema.Boolean,
  attachments: Schema.optionalKey(newestOf(Attachment)),
  comments: newestOf(Comment),
  notes: newestOf(Comment),
  decisions: newestOf(Decision),
  calendarEvents: Schema.optionalKey(newestOf(CaseCalendarEvent)),
  orders: Schema.optionalKey(newestOf(Order))
}).annotate({ identifier: "CaseDetail" })
export type CaseDetail = typeof CaseDetail.Type
