import { paymentMoveOf } from "@care/domain/cases"
import type { PaymentSnapshot } from "@care/domain/payments"
import { inTransaction } from "@care/service-kit"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CaseOpenings } from "../lifecycle/CaseOpenings.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { makeCasePaymentsRepo } from "./CasePaymentsRepo.ts"

/** Something newer is known of the payment. */
class Outdated extends Data.TaggedError("Outdated") {}

/** What is known of the payments of cases, and what follows from it for the cases. */
export class CasePayments extends Context.Service<
  CasePayments,
  {
    /**
     * Keeps what payments tells of a payment, unless something newer is kept: it is recorded, and what became of the intent
     * that an abandoned case began with opens or closes the case, all in one transaction and once, however often it is told.
     */
    readonly changed: (snapshot: PaymentSnapshot) => Effect.Effect<void>
  }
>()("@care/cases/payments/CasePayments") {
  static readonly layer = Layer.effect(
    CasePayments,
    Effect.gen(function* () {
      const cases = yield* Cases
      const openings = yield* CaseOpenings
      const repo = yield* makeCasePaymentsRepo
      const sql = yield* SqlClient.SqlClient

      return CasePayments.of({
        // Locks are taken in one order: the patient's key, which the note of a closed case is sealed with, the case, which the
        // row of the payment refers to (docs/decisions/0026-the-case-has-a-home.md), then the payment.
        changed: Effect.fn("CasePayments.changed")(
          function* (snapshot) {
            const { caseId, organizationId, outcome, paymentId, status } = snapshot
            const details = { paymentId, status }
            if (outcome === "FAILED") yield* cases.keyOf(organizationId, caseId)
            const record = cases.record(organizationId, caseId, { type: "PAYMENT_CHANGED", details })
            const caseState = yield* Effect.orDie(record)
            const before = yield* repo.lock(snapshot)
            if (before.version >= snapshot.version) return yield* new Outdated()
            yield* repo.update(snapshot)
            const name = paymentMoveOf(caseState, before.outcome, outcome)
            if (name === undefined) return
            const move = name === "paymentFailed" ? { name, archiveNote: "Payment intent failed" } : { name }
            yield* Effect.orDie(cases.move(organizationId, caseId, move))
            if (name === "paymentSucceeded") yield* openings.opened(organizationId, caseId)
          },
          (changed) => Effect.catchTag(inTransaction(sql)(changed), "Outdated", () => Effect.void)
        )
      })
    })
  ).pipe(Layer.provide([Cases.layer, CaseOpenings.layer]))
}
