import { Schema, Struct } from "effect"
import { CaseStatus } from "../cases/CaseStatus.ts"
import type { CaseActivityType } from "../cases/caseActivities.ts"
import { OrderStatus } from "../cases/Order.ts"
import { shownIds } from "../http/shownIds.ts"
import { CalendarEventId, CaseId, EscalationId, OrderId, PaymentId, ProductId, UserId, Uuid } from "../Ids.ts"
import { PaymentStatus } from "../payments/PaymentStatus.ts"

// The status of the case before and after.
const statuses = { from: CaseStatus, to: CaseStatus }

/**
 * The events of cases: the summary, the activities (`caseActivities`) that cause them, and the details in addition to the case, with an example.
 * Details are ids and statuses, never health information.
 */
export const webhookEvents = {
  "case.created": {
    summary: "A case was created with a status other than ABANDONED",
    activities: ["CASE_CREATED"],
    details: { status: CaseStatus },
    example: { status: "OPEN" }
  },
  "case.opened": {
    summary: "An abandoned, assigned or open case was set to OPEN, or a closed case was reopened",
    activities: ["CASE_OPENED", "CASE_REOPENED"],
    details: statuses,
    example: { from: "ABANDONED", to: "OPEN" }
  },
  "case.assigned": {
    summary: "The case was assigned to a provider",
    activities: ["CASE_ASSIGNED"],
    details: { ...statuses, providerId: UserId },
    example: { from: "OPEN", to: "ASSIGNED", providerId: shownIds.provider }
  },
  "case.decision.added": {
    summary: "A provider decided on the case",
    activities: ["DECISION_ADDED"],
    details: { ...statuses, decisionId: Uuid },
    example: { from: "IN_PROGRESS", to: "APPROVED", decisionId: shownIds.decision }
  },
  "case.closed": {
    summary: "A case was closed",
    activities: ["CASE_CLOSED"],
    details: statuses,
    example: { from: "APPROVED", to: "APPROVED" }
  },
  "case.activity": {
    summary: "Medication was ordered",
    activities: ["ORDER_PLACED"],
    details: { orderId: OrderId },
    example: { orderId: shownIds.order }
  },
  "case.order.updated": {
    summary: "The status or the details of an order changed",
    activities: ["ORDER_CHANGED"],
    details: { orderId: OrderId, status: OrderStatus },
    example: { orderId: shownIds.order, status: "SHIPPED" }
  },
  "case.escalation.added": {
    summary: "The case was escalated",
    activities: ["ESCALATION_ADDED"],
    details: { escalationId: EscalationId },
    example: { escalationId: shownIds.escalation }
  },
  "case.escalation.completed": {
    summary: "An escalation was completed",
    activities: ["ESCALATION_COMPLETED"],
    details: { escalationId: EscalationId },
    example: { escalationId: shownIds.escalation }
  },
  "case.product.closed": {
    summary: "A product of the case was closed",
    activities: ["PRODUCT_CLOSED"],
    details: { productId: ProductId },
    example: { productId: shownIds.product }
  },
  "case.payment.updated": {
    summary:
      "The status of a payment of the case changed, or an attempt to pay it failed (UNPAID). A new payment that is UNPAID causes no event",
    activities: ["PAYMENT_CHANGED"],
    details: { paymentId: PaymentId, status: PaymentStatus },
    example: { paymentId: shownIds.payment, status: "PAID" }
  },
  "case.appointment.booked": {
    summary: "An appointment or another event was added to the calendar of the case",
    activities: ["CALENDAR_EVENT_CREATED"],
    details: { eventId: CalendarEventId },
    example: { eventId: shownIds.calendarEvent }
  },
  "case.appointment.cancelled": {
    summary: "An appointment or another event in the calendar of the case was cancelled",
    activities: ["CALENDAR_EVENT_CANCELLED"],
    details: { eventId: CalendarEventId },
    example: { eventId: shownIds.calendarEvent }
  }
} as const satisfies Record<
  string,
  {
    readonly summary: string
    readonly activities: ReadonlyArray<CaseActivityType>
    readonly details: Schema.Struct.Fields
    readonly example: Readonly<Record<string, string>>
  }
>

export type CaseEventType = keyof typeof webhookEvents

/** The fields of every event of a case. `sequence` is the number of the activity, and only increases. */
export const caseOfEvent = { caseId: CaseId, sequence: Schema.Int }

/** The example of these. */
export const caseOfEventExample = { caseId: shownIds.case, sequence: 4 }

/** Events of webhooks themselves, which belong to no case. */
export const ownEvents = {
  ping: {
    summary: "A test event, sent on request",
    details: { endpointId: Uuid },
    example: { endpointId: shownIds.webhookEndpoint }
  },
  "webhook.endpoint.disabled": {
    summary: "Another endpoint of the organization was disabled because it answered 410 or failed for five days",
    details: { endpointId: Uuid, reason: Schema.Literals(["GONE", "FAILING"]) },
    example: { endpointId: shownIds.webhookEndpoint, reason: "GONE" }
  }
} as const satisfies Record<
  string,
  {
    readonly summary: string
    readonly details: Schema.Struct.Fields
    readonly example: Readonly<Record<string, string>>
  }
>

const types: ReadonlyMap<CaseActivityType, CaseEventType> = new Map(
  Struct.keys(webhookEvents).flatMap((type) =>
    webhookEvents[type].activities.map((activity) => [activity, type] as const)
  )
)

/** Returns the type of the event of an activity, or undefined for one without an event. */
export const eventTypeOf = (activity: CaseActivityType): CaseEventType | undefined => types.get(activity)
