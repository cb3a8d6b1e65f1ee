import { paymentMoveOf } from "@care/domain/cases"
import { type PaymentSnapshot, paymentReplica } from "@care/domain/payments"
import { makeSnapshots } from "@care/replicas"
import { inTransaction } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CaseOpenings } from "../lifecycle/CaseOpenings.ts"
import { Cases } from "../lifecycle/Cases.ts"

/**
 * Makes the function that accepts a snapshot of a payment. A new one is recorded in the case, and the outcome of the intent that an
 * abandoned case began with opens or closes the case, once.
 */
export const makeAcceptPayment = Effect.gen(function* () {
  const cases = yield* Cases
  const openings = yield* CaseOpenings
  const payments = yield* makeSnapshots(paymentReplica, { table: "case_payments", id: "paymentId" })
  const sql = yield* SqlClient.SqlClient

  // Locks are taken in one order: the patient's key, which seals the note of a closed case, then the case, then the payment
  // (docs/decisions/0026-the-case-has-a-home.md).
  return Effect.fn("acceptPayment")(function* (snapshot: PaymentSnapshot) {
    const { caseId, organizationId, outcome, paymentId, status } = snapshot
    if (outcome === "FAILED") yield* cases.keyOf(organizationId, caseId)
    yield* cases.lock(organizationId, caseId)
    const [before] = yield* payments.find(organizationId, [paymentId])
    if (!(yield* payments.keep(snapshot))) return
    const record = cases.record(organizationId, caseId, { type: "PAYMENT_CHANGED", details: { paymentId, status } })
    const name = paymentMoveOf(yield* Effect.orDie(record), before?.outcome ?? null, outcome)
    if (name === undefined) return
    const move = name === "paymentFailed" ? { name, archiveNote: "Payment intent failed" } : { name }
    yield* Effect.orDie(cases.move(organizationId, caseId, move))
    if (name === "paymentSucceeded") yield* openings.opened(organizationId, caseId)
  }, inTransaction(sql))
})
