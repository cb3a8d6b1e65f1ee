import { Schema } from "effect"
import { DateOnly } from "../http/Timestamp.ts"
import {
  CalendarEventId,
  DocumentId,
  EscalationId,
  FormResponseId,
  OrderId,
  PaymentId,
  ProductId,
  UserId
} from "../Ids.ts"
import { PaymentStatus } from "../payments/PaymentStatus.ts"
import { CaseStatus } from "./CaseStatus.ts"
import { EscalationType } from "./escalationTitles.ts"
import { OrderStatus } from "./Order.ts"

const moved = { from: CaseStatus, to: CaseStatus }
// The provider before the change, if there was one.
const handedOver = { ...moved, previousProviderId: Schema.optionalKey(UserId) }

/**
 * The activities of a case, with a summary and the details that each has in addition to actor, activity and time. Details are ids,
 * statuses and days, never health information.
 */
export const caseActivities = {
  CASE_CREATED: { summary: "The case was created", details: { status: CaseStatus } },
  CASE_ASSIGNED: { summary: "The case was assigned to a provider", details: { ...handedOver, providerId: UserId } },
  CASE_RELEASED: { summary: "The case was unassigned because its provider left", details: handedOver },
  CASE_STARTED: { summary: "The provider began work on the case", details: moved },
  CASE_OPENED: { summary: "The case was opened", details: handedOver },
  CASE_CLOSED: { summary: "The case was closed", details: moved },
  CASE_REOPENED: { summary: "The case was reopened", details: moved },
  DECISION_ADDED: { summary: "A provider decided on the case", details: { ...moved, decisionId: Schema.String } },
  COMMENT_ADDED: { summary: "Somebody commented on the case", details: { commentId: Schema.String } },
  NOTE_ADDED: { summary: "An internal note was added", details: { commentId: Schema.String } },
  FILE_ATTACHED: { summary: "A file was attached", details: { documentId: DocumentId } },
  FORM_SUBMITTED: { summary: "A form was answered", details: { formResponseId: FormResponseId } },
  ORDER_PLACED: { summary: "Medication was ordered", details: { orderId: OrderId } },
  ORDER_CHANGED: {
    summary: "The status or the details of an order changed",
    details: { orderId: OrderId, status: OrderStatus }
  },
  ESCALATION_ADDED: {
    summary: "The case was escalated",
    details: { escalationId: EscalationId, type: EscalationType }
  },
  ESCALATION_COMPLETED: { summary: "An escalation was completed", details: { escalationId: EscalationId } },
  PRODUCT_CLOSED: { summary: "A product of the case was closed", details: { productId: ProductId } },
  PRODUCT_DUE_DATE_CHANGED: {
    summary: "The due date of a product of the case changed",
    details: { productId: ProductId, dueDate: DateOnly }
  },
  PAYMENT_CHANGED: {
    summary: "The status of a payment of the case changed",
    details: { paymentId: PaymentId, status: PaymentStatus }
  },
  CALENDAR_EVENT_CREATED: { summary: "A calendar event was created", details: { eventId: CalendarEventId } },
  CALENDAR_EVENT_CANCELLED: { summary: "A calendar event was cancelled", details: { eventId: CalendarEventId } }
} as const satisfies Record<string, { readonly summary: string; readonly details: Schema.Struct.Fields }>

type Activities = typeof caseActivities

export type CaseActivityType = keyof Activities

/** The activities that people may be notified of. */
export const notifiedActivities: ReadonlyArray<CaseActivityType> = ["CASE_CREATED", "CASE_OPENED", "CASE_ASSIGNED"]

/** An activity of a case that is not a move. */
export type NewCaseActivity = {
  [Type in CaseActivityType]: { readonly type: Type; readonly details: Schema.Struct.Type<Activities[Type]["details"]> }
}[CaseActivityType]
