import type { PaymentSnapshot } from "../payments/PaymentSnapshot.ts"
import { type CaseStage, takesCase } from "./caseTransitions.ts"

type Outcome = PaymentSnapshot["outcome"]

/**
 * The move that news of the payment a case began with makes, by where the case stands, what was known of the payment, and
 * what is told. Undefined when the payment alone changes: always, unless the case is ABANDONED. Only the first success and
 * the first failure before it are news, however often and in whatever order they are told.
 */
export const paymentMoveOf = (
  caseState: CaseStage,
  known: Outcome,
  told: Outcome
): "paymentSucceeded" | "paymentFailed" | undefined => {
  if (told === null || told === known || known === "SUCCEEDED") return undefined
  const name = told === "SUCCEEDED" ? "paymentSucceeded" : "paymentFailed"
  return takesCase(name, caseState) ? name : undefined
}
