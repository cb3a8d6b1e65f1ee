import { Schema } from "effect"
import { AdminPayment } from "../payments/AdminPayment.ts"
import { CaseActivity } from "./CaseActivity.ts"
import { CaseCalendarEvent } from "./CaseCalendarEvent.ts"
import { Comment } from "./Comment.ts"
import type { CaseActivityType } from "./caseActivities.ts"
import { Decision } from "./Decision.ts"
import { Escalation } from "./Escalation.ts"
import { Order } from "./Order.ts"

const kindOfActivity = {
  CASE_CREATED: "CASE",
  CASE_ASSIGNED: "CASE",
  CASE_RELEASED: "CASE",
  CASE_STARTED: "CASE",
  CASE_OPENED: "CASE",
  CASE_CLOSED: "CASE",
  CASE_REOPENED: "CASE",
  DECISION_ADDED: "DECISION",
  COMMENT_ADDED: "COMMENT",
  NOTE_ADDED: "COMMENT",
  FILE_ATTACHED: "FILE",
  FORM_SUBMITTED: "FORM",
  ORDER_PLACED: "ORDER",
  ORDER_CHANGED: "ORDER",
  ESCALATION_ADDED: "ESCALATION",
  ESCALATION_COMPLETED: "ESCALATION",
  PRODUCT_CLOSED: "PRODUCT",
  PRODUCT_DUE_DATE_CHANGED: "PRODUCT",
  PAYMENT_CHANGED: "PAYMENT",
  CALENDAR_EVENT_CREATED: "CALENDAR_EVENT",
  CALENDAR_EVENT_CANCELLED: "CALENDAR_EVENT"
} as const satisfies Record<CaseActivityType, string>

/** What an entry of a case's timeline is about. */
export const TimelineKind = Schema.Literals([...new Set(Object.values(kindOfActivity))])
export type TimelineKind = typeof TimelineKind.Type

/** Returns the kind of an activity. */
export const timelineKindOf = (type: CaseActivityType): TimelineKind => kindOfActivity[type]

/**
 * An entry of a case's timeline: an activity, with the one thing that it is about, as that is now. `payment` and `calendarEvent` are null while
 * their service does not answer.
 */
export const TimelineEntry = Schema.Struct({
  ...CaseActivity.fields,
  kind: TimelineKind,
  comment: Schema.NullOr(Comment),
  decision: Schema.NullOr(Decision),
  order: Schema.NullOr(Order),
  escalation: Schema.NullOr(Escalation),
  payment: Schema.NullOr(AdminPayment),
  calendarEvent: Schema.NullOr(CaseCalendarEvent)
}).annotate({ identifier: "TimelineEntry" })
export type TimelineEntry = typeof TimelineEntry.Type
