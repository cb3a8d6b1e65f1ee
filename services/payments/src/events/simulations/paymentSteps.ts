import type { OrganizationId } from "@care/domain/ids"
import { type GatewayEvent, type PaymentStep, PaymentStepName } from "@care/domain/payments"
import { Option } from "effect"
import { type GatewayMoney, statusOf } from "../../payments/index.ts"
import type { IntentState, IntentUpdate } from "../../stripe/index.ts"
import { intentUpdateOf } from "../intentUpdateOf.ts"

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
    case "PAYMENT_AUTHORIZED":
      return status === "UNPAID"
    case "PAYMENT_CANCELED":
      return status === "AUTHORIZED"
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

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000)

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
    case "PAYMENT_AUTHORIZED":
      return ["payment_intent.amount_capturable_updated", { ...paid, status: "requires_capture" }] as const
    case "PAYMENT_CANCELED":
      return ["payment_intent.canceled", { ...paid, status: "canceled" }] as const
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

/** For how long the gateway holds an amount, in days. */
export const heldDays = 7

/** Returns the event that the gateway would send when it does not hold an amount any more. */
export const expiryEvent = (intentId: string, at: Date): GatewayEvent => ({
  id: simulatedEventId(`expiry_${intentId}`),
  type: "payment_intent.canceled",
  created: secondsOf(at),
  data: { object: { id: intentId, status: "canceled" } }
})

/** Returns what an event says, and that the gateway itself has none of the money, until when it is held. */
export const simulatedUpdateOf = (event: GatewayEvent, { step }: PaymentStep, at: Date): Option.Option<IntentUpdate> =>
  Option.map(intentUpdateOf(event), ({ state, ...update }) => {
    const isHeld = step === "PAYMENT_AUTHORIZED"
    const heldUntil = isHeld ? secondsOf(at) + heldDays * 86_400 : state.heldUntil
    return { ...update, state: { ...state, heldUntil, isSimulated: isHeld || step === "PAYMENT_SUCCEEDED" } }
  })

/** Returns the event that the gateway would send of a step. `units` are those of a refund. */
export const simulatedEvent = (
  { step }: PaymentStep,
  id: string,
  intent: KnownIntent,
  units: number,
  at: Date
): GatewayEvent => {
  const [type, object] = typeAndObject(step, id, intent, units)
  return { id: simulatedEventId(id), type, created: secondsOf(at), data: { object } }
}
