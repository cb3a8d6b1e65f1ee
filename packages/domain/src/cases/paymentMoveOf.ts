import type { PaymentSnapshot } from "../payments/PaymentSnapshot.ts"
import { type CaseStage, moveApplies } from "./caseTransitions.ts"

type Outcome = PaymentSnapshot["outcome"]

/**
 * Returns the move of a case whose initial payment has a new outcome, or undefined when only the payment changes, which
 * is so unless the case is ABANDONED. Only the first success, and the first failure before it, have an effect, in
 * whatever order outcomes arrive.
 */
export const paymentMoveOf = (
  caseState: CaseStage,
  known: Outcome,
  outcome: Outcome
): "paymentSucceeded" | "paymentFailed" | undefined => {
  if (outcome === null || outcome === known || known === "SUCCEEDED") return undefined
  const name = outcome === "SUCCEEDED" ? "paymentSucceeded" : "paymentFailed"
  return moveApplies(name, caseState) ? name : undefined
}
