import {
  type CaseMove,
  type CaseStage,
  canTransition,
  type Escalation,
  moveApplies,
  type NewEscalation,
  type Order,
  type OrderStatus,
  type OrderStep,
  StepName
} from "@care/domain/cases"
import type { PaymentStepName } from "@care/domain/payments"
import type { AppointmentStepName } from "@care/domain/scheduling"

/** What is possible in the other services. `hasBegun`: an appointment may have been missed. */
export interface Elsewhere {
  readonly payments: ReadonlyArray<PaymentStepName>
  readonly appointments: ReadonlyArray<AppointmentStepName>
  readonly hasBegun: boolean
}

/** What decides which steps are possible here. */
export interface Situation {
  readonly stage: CaseStage
  readonly hasProvider: boolean
  readonly orders: ReadonlyArray<Pick<Order, "id" | "status">>
  readonly escalations: ReadonlyArray<Pick<Escalation, "id" | "type" | "title">>
}

/** How the care team records that a patient missed an appointment. */
export const missedAppointment = {
  type: "support",
  title: "Missed appointment -reschedule"
} as const satisfies Pick<NewEscalation, "type" | "title">

type OrderStepName = OrderStep["step"]

/** The status that the pharmacy reports in a step. A replacement is reported of an order that is not shipped, and moves nothing. */
export const reportedStatuses: Readonly<
  Record<OrderStepName, Exclude<OrderStatus, "PENDING" | "CANCELED"> | undefined>
> = {
  ORDER_ACCEPTED: "SUBMITTED",
  ORDER_SHIPPED: "SHIPPED",
  ORDER_DELIVERED: "DELIVERED",
  ORDER_REFUSED: "ERROR",
  ORDER_REPLACED: undefined
}

/** Returns whether the pharmacy can take a step with an order. */
export const fitsOrder = (step: OrderStepName, status: OrderStatus): boolean =>
  canTransition("pharmacy", status, reportedStatuses[step] ?? "SHIPPED")

const moves: ReadonlyArray<readonly [StepName, CaseMove["name"]]> = [
  ["START", "start"],
  ["APPROVE", "approve"],
  ["REJECT", "reject"],
  ["NO_DECISION", "leaveUndecided"]
]

const orderSteps = ["ORDER_ACCEPTED", "ORDER_SHIPPED", "ORDER_DELIVERED", "ORDER_REFUSED", "ORDER_REPLACED"] as const

const isMissed = ({ title, type }: Pick<Escalation, "type" | "title">) =>
  type === missedAppointment.type && title === missedAppointment.title

/** Returns the steps that are possible in a situation, in the order of their declaration. */
export const possibleSteps = (
  { escalations, hasProvider, orders, stage }: Situation,
  { appointments, hasBegun, payments }: Elsewhere
): ReadonlyArray<StepName> => {
  const possible = new Set<StepName>([
    // The sandbox gets a provider for that, if it has none.
    ...(moveApplies("assign", stage) ? ["ASSIGN" as const] : []),
    ...moves.flatMap(([step, move]) => (hasProvider && moveApplies(move, stage) ? [step] : [])),
    ...(hasProvider ? ["COMMENT" as const] : []),
    ...(hasProvider && escalations.length > 0 ? ["ESCALATION_COMPLETED" as const] : []),
    ...(hasProvider && hasBegun && !escalations.some(isMissed) ? ["APPOINTMENT_MISSED" as const] : []),
    ...orderSteps.filter((step) => orders.some(({ status }) => fitsOrder(step, status))),
    ...payments,
    ...appointments.filter((step) => step !== "APPOINTMENT_BOOKED" || !stage.isArchived),
    "WEBHOOKS_FAIL"
  ])
  return StepName.literals.filter((step) => possible.has(step))
}
