import type { PaymentSnapshot, PaymentStatus } from "@care/domain/payments"
import type { IntentState } from "../stripe/index.ts"

/**
 * How much of what was taken is given back, in the gateway's smallest units. What it counts is less again once a refund has
 * failed, and may be more after another one: so of what was told of each refund and of all together the greater is true.
 */
export const refundedUnits = ({ refunded, refunds }: IntentState): number => {
  const all = Object.values(refunds)
  const sum = (isFailed: boolean) =>
    all.reduce((total, refund) => total + (refund.isFailed === isFailed ? refund.units : 0), 0)
  return Math.max(0, sum(false), refunded - sum(true))
}

/** What a payment's intent makes of it. Money that was taken outweighs whatever else was told. */
export const statusOf = (state: IntentState): PaymentStatus => {
  const disputes = Object.values(state.disputes).map(({ state }) => state)
  if (disputes.includes("LOST")) return "LOST_DISPUTE"
  if (disputes.includes("OPEN")) return "IN_DISPUTE"
  if (refundedUnits(state) > 0) return "REFUND"
  if (state.isPaid) return "PAID"
  if (state.isCanceled) return "CANCELED"
  return state.isAuthorized ? "AUTHORIZED" : "UNPAID"
}

/** What it means for the case that began with the intent: once money was taken, it was. */
export const outcomeOf = ({ isFailed, isPaid }: IntentState): PaymentSnapshot["outcome"] => {
  if (isPaid) return "SUCCEEDED"
  return isFailed ? "FAILED" : null
}
