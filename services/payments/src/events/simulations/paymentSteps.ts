import type { OrganizationId } from "@care/domain/ids"
import { type GatewayEvent, type PaymentStep, PaymentStepName } from "@care/domain/payments"
import { type GatewayMoney, statusOf } from "../../payments/index.ts"
import type { IntentState } from "../../stripe/index.ts"

/** The intent of a payment, with its amounts. */
export interface KnownIntent {
  readonly intentId: string
  readonly organizationId: OrganizationId
  readonly state: IntentState
  readonly money: GatewayMoney
}

/** Returns the id of the event of a step. */
export const simulatedEventId = (id: string): string => `evt_simulated_${id}`

const isPossible = (step: PaymentStepName, { money: { refundable }, state }: KnownIntent): boolean => {
  const status = statusOf(state)
  switch (step) {
    case "PAYMENT_SUCCEEDED":
      return status === "UNPAID" || status === "AUTHORIZED"
    case "PAYMENT_FAILED":
      return status === "UNPAID"
    case "PAYMENT_REFUNDED":
      return (status === "PAID" || status === "REFUND") && refundable > 0
    case "DISPUTE_OPENED":
      return (status === "PAID" || status === "REFUND") && Object.keys(state.disputes).length === 0
    case "DISPUTE_WON":
    case "DISPUTE_LOST":
      return status === "IN_DISPUTE"
  }
}

/** Returns the steps that are possible for a payment. */
export const stepsOf = (intent: KnownIntent): ReadonlyArray<PaymentStepName> =>
  PaymentStepName.literals.filter((step) => isPossible(step, intent))

const openDisputeIn = ({ disputes }: IntentState): string =>
  Object.entries(disputes).find(([, { state }]) => state === "OPEN")?.[0] ?? ""

const typeAndObject = (step: PaymentStepName, id: string, intent: KnownIntent, units: number) => {
  const { intentId, money, organizationId, state } = intent
  const { authorized, currency } = money
  const paid = { id: intentId, amount: authorized, currency: currency.toLowerCase(), metadata: { organizationId } }
  const dispute = { id: openDisputeIn(state), payment_intent: intentId }
  switch (step) {
    case "PAYMENT_SUCCEEDED":
      return ["payment_intent.succeeded", { ...paid, status: "succeeded", amount_received: authorized }] as const
    case "PAYMENT_FAILED":
      return ["payment_intent.payment_failed", { ...paid, status: "requires_payment_method" }] as const
    case "PAYMENT_REFUNDED":
      return [
        "refund.created",
        { id: `re_simulated_${id}`, payment_intent: intentId, amount: units, status: "succeeded" }
      ] as const
    case "DISPUTE_OPENED":
      return [
        "charge.dispute.created",
        { id: `dp_simulated_${id}`, payment_intent: intentId, status: "needs_response" }
      ] as const
    case "DISPUTE_WON":
      return ["charge.dispute.closed", { ...dispute, status: "won" }] as const
    case "DISPUTE_LOST":
      return ["charge.dispute.closed", { ...dispute, status: "lost" }] as const
  }
}

/** Returns the event that the gateway would send of a step. `units` are those of a refund. */
export const simulatedEvent = (
  { step }: PaymentStep,
  id: string,
  intent: KnownIntent,
  units: number,
  at: Date
): GatewayEvent => {
  const [type, object] = typeAndObject(step, id, intent, units)
  return { id: simulatedEventId(id), type, created: Math.floor(at.getTime() / 1000), data: { object } }
}
