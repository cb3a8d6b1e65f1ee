import type { PaymentSnapshot, PaymentStatus } from "@care/domain/payments"
import type { IntentState } from "../stripe/index.ts"

/**
 * Returns the refunded amount, in the gateway's minor units. The total decreases after a refund has failed, and may
 * increase with the next one, so the greater of the refunds' sum and the total counts.
 */
export const refundedUnits = ({ refunded, refunds }: IntentState): number => {
  const all = Object.values(refunds)
  const sum = (isFailed: boolean) =>
    all.reduce((total, refund) => total + (refund.isFailed === isFailed ? refund.units : 0), 0)
  return Math.max(0, sum(false), refunded - sum(true))
}

/** Returns the payment status of an intent's state. Received money outweighs everything else. */
export const statusOf = (state: IntentState): PaymentStatus => {
  const disputes = Object.values(state.disputes).map(({ state }) => state)
  if (disputes.includes("LOST")) return "LOST_DISPUTE"
  if (disputes.includes("OPEN")) return "IN_DISPUTE"
  if (refundedUnits(state) > 0) return "REFUND"
  if (state.isPaid) return "PAID"
  if (state.isCanceled) return "CANCELED"
  return state.isAuthorized ? "AUTHORIZED" : "UNPAID"
}

/** Returns the outcome for the case that began with the intent. Once received, money counts as received. */
export const outcomeOf = ({ isFailed, isPaid }: IntentState): PaymentSnapshot["outcome"] => {
  if (isPaid) return "SUCCEEDED"
  return isFailed ? "FAILED" : null
}
