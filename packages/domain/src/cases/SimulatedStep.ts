import { Schema } from "effect"
import { IsoDuration } from "../auth/ClockAdvance.ts"
import { lengths } from "../http/bounds.ts"
import { atMost, optionalListUpTo } from "../http/listUpTo.ts"
import { stepOf } from "../http/stepOf.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { WebUrl } from "../http/WebUrl.ts"
import { CaseId, EscalationId, OrderId, ProductId, UserId } from "../Ids.ts"
import { PaymentStep } from "../payments/PaymentStep.ts"
import { AppointmentStep } from "../scheduling/AppointmentStep.ts"
import { CaseStatus } from "./CaseStatus.ts"
import { NewMedInfo } from "./Decision.ts"

const reference = Schema.optional(nonBlankUpTo(lengths.reference))
const message = Schema.optional(nonBlankUpTo(lengths.paragraph))

const decision = { decisionText: Schema.optional(nonBlankUpTo(lengths.page)) }

/** What the care team does, in test mode. */
export const CareTeamStep = Schema.Union([
  stepOf("ASSIGN", {
    providerId: Schema.optional(UserId).annotate({
      description: "By default a provider of the sandbox, which gets one if it has none"
    })
  }),
  stepOf("START", {}),
  stepOf("COMMENT", { text: nonBlankUpTo(lengths.page) }),
  stepOf("APPROVE", {
    ...decision,
    productId: Schema.optional(ProductId),
    medInfo: optionalListUpTo(NewMedInfo, atMost("medicines"))
  }),
  stepOf("REJECT", decision),
  stepOf("NO_DECISION", decision),
  stepOf("ESCALATION_COMPLETED", {
    escalationId: Schema.optional(EscalationId).annotate({ description: "By default the oldest active escalation" })
  }),
  stepOf("APPOINTMENT_MISSED", {})
])
export type CareTeamStep = typeof CareTeamStep.Type

const ofOrder = {
  orderId: Schema.optional(OrderId).annotate({
    description: "By default the newest order that the step is possible for"
  })
}

/** What the pharmacy does, in test mode. */
export const OrderStep = Schema.Union([
  stepOf("ORDER_ACCEPTED", { ...ofOrder, pharmacyOrderId: reference }),
  stepOf("ORDER_SHIPPED", {
    ...ofOrder,
    trackingId: reference,
    trackingUrl: Schema.optional(WebUrl),
    carrierName: Schema.optional(nonBlankUpTo(lengths.name)),
    estDeliveryAt: Schema.optional(Timestamp)
  }),
  stepOf("ORDER_DELIVERED", ofOrder),
  stepOf("ORDER_REFUSED", { ...ofOrder, message }),
  stepOf("ORDER_REPLACED", { ...ofOrder, replacementReason: nonBlankUpTo(lengths.paragraph) })
])
export type OrderStep = typeof OrderStep.Type

/** What happens to the partner's own webhook endpoints, in test mode. */
const WebhookStep = stepOf("WEBHOOKS_FAIL", {
  for: IsoDuration.annotate({
    description: "For how long each webhook endpoint of the sandbox counts as answering 500, by the sandbox's clock"
  })
})

/** What others do with a case. A sandbox simulates it. */
export const SimulatedStep = Schema.Union([
  ...CareTeamStep.members,
  ...OrderStep.members,
  ...PaymentStep.members,
  ...AppointmentStep.members,
  WebhookStep
]).annotate({ identifier: "SimulatedStep" })
export type SimulatedStep = typeof SimulatedStep.Type

/** The names of all steps. */
export const StepName = Schema.Literals(SimulatedStep.members.map(({ fields }) => fields.step.literal)).annotate({
  identifier: "StepName"
})
export type StepName = typeof StepName.Type

/** A case in test mode, and the steps that are possible now. */
export const Simulated = Schema.Struct({
  case: Schema.Struct({ id: CaseId, status: CaseStatus, isArchived: Schema.Boolean }),
  possible: Schema.Array(StepName)
}).annotate({ identifier: "Simulated" })
export type Simulated = typeof Simulated.Type

/** The step is impossible for the case as it is. */
export class StepImpossible extends Schema.TaggedError<StepImpossible>()("StepImpossible", {
  step: StepName,
  status: CaseStatus,
  isArchived: Schema.Boolean,
  possible: Schema.Array(StepName)
}) {
  get text(): string {
    const { isArchived, possible, status, step } = this
    const state = isArchived ? `archived (${status})` : status
    return `The case is ${state}: ${step} is impossible. Possible now: ${possible.join(", ")}`
  }
}
