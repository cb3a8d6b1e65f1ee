import { Schema, Struct } from "effect"
import { CaseStatus } from "../cases/CaseStatus.ts"
import type { CaseActivityType } from "../cases/caseActivities.ts"
import { OrderStatus } from "../cases/Order.ts"
import { CalendarEventId, CaseId, EscalationId, OrderId, PaymentId, ProductId, UserId, Uuid } from "../Ids.ts"
import { PaymentStatus } from "../payments/PaymentStatus.ts"

// The status of the case before and after.
const statuses = { from: CaseStatus, to: CaseStatus }

/**
 * The events of cases: the summary, the activities (`caseActivities`) that cause them, and the details in addition to the case.
 * Details are ids and statuses, never health information.
 */
export const webhookEvents = {
  "case.created": {
    summary: "A case was created with a status other than ABANDONED",
    activities: ["CASE_CREATED"],
    details: { status: CaseStatus }
  },
  "case.opened": {
    summary: "An abandoned, assigned or open case was set to OPEN, or a closed case was reopened",
    activities: ["CASE_OPENED", "CASE_REOPENED"],
    details: statuses
  },
  "case.assigned": {
    summary: "The case was assigned to a provider",
    activities: ["CASE_ASSIGNED"],
    details: { ...statuses, providerId: UserId }
  },
  "case.decision.added": {
    summary: "A provider decided on the case",
    activities: ["DECISION_ADDED"],
    details: { ...statuses, decisionId: Uuid }
  },
  "case.closed": { summary: "A case was closed", activities: ["CASE_CLOSED"], details: statuses },
  "case.activity": { summary: "Medication was ordered", activities: ["ORDER_PLACED"], details: { orderId: OrderId } },
  "case.order.updated": {
    summary: "The status or the details of an order changed",
    activities: ["ORDER_CHANGED"],
    details: { orderId: OrderId, status: OrderStatus }
  },
  "case.escalation.added": {
    summary: "The case was escalated",
    activities: ["ESCALATION_ADDED"],
    details: { escalationId: EscalationId }
  },
  "case.escalation.completed": {
    summary: "An escalation was completed",
    activities: ["ESCALATION_COMPLETED"],
    details: { escalationId: EscalationId }
  },
  "case.product.closed": {
    summary: "A product of the case was closed",
    activities: ["PRODUCT_CLOSED"],
    details: { productId: ProductId }
  },
  "case.payment.updated": {
    summary:
      "The status of a payment of the case changed, or an attempt to pay it failed (UNPAID). A new payment that is UNPAID causes no event",
    activities: ["PAYMENT_CHANGED"],
    details: { paymentId: PaymentId, status: PaymentStatus }
  },
  "case.appointment.booked": {
    summary: "An appointment or another event was added to the calendar of the case",
    activities: ["CALENDAR_EVENT_CREATED"],
    details: { eventId: CalendarEventId }
  },
  "case.appointment.cancelled": {
    summary: "An appointment or another event in the calendar of the case was cancelled",
    activities: ["CALENDAR_EVENT_CANCELLED"],
    details: { eventId: CalendarEventId }
  }
} as const satisfies Record<
  string,
  {
    readonly summary: string
    readonly activities: ReadonlyArray<CaseActivityType>
    readonly details: Schema.Struct.Fields
  }
>

export type CaseEventType = keyof typeof webhookEvents

/** The fields of every event of a case. `sequence` is the number of the activity, and only increases. */
export const caseOfEvent = { caseId: CaseId, sequence: Schema.Int }

/** Events of webhooks themselves, which belong to no case. */
export const ownEvents = {
  "webhook.test": { summary: "A test event, sent on request", details: { endpointId: Uuid } },
  "webhook.endpoint.disabled": {
    summary: "Another endpoint of the organization was disabled because it answered 410 or failed for five days",
    details: { endpointId: Uuid, reason: Schema.Literals(["GONE", "FAILING"]) }
  }
} as const satisfies Record<string, { readonly summary: string; readonly details: Schema.Struct.Fields }>

const types: ReadonlyMap<CaseActivityType, CaseEventType> = new Map(
  Struct.keys(webhookEvents).flatMap((type) =>
    webhookEvents[type].activities.map((activity) => [activity, type] as const)
  )
)

/** Returns the type of the event of an activity, or undefined for one without an event. */
export const eventTypeOf = (activity: CaseActivityType): CaseEventType | undefined => types.get(activity)
