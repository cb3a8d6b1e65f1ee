import type { PaymentFact } from "@care/domain/payments"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CaseOpenings } from "../lifecycle/CaseOpenings.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { makeCasePaymentsRepo } from "./CasePaymentsRepo.ts"

/** What is known of the payments of cases, and what follows from it for the cases. */
export class CasePayments extends Context.Service<
  CasePayments,
  {
    /**
     * Keeps what payments tells of a payment, unless something newer is kept: it is recorded, and what became of the intent
     * that the case began with opens or closes the case, all in one transaction and once, however often it is told.
     */
    readonly changed: (fact: PaymentFact) => Effect.Effect<void>
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
        // Locks are taken in one order: the payment, then its case.
        changed: Effect.fn("CasePayments.changed")(
          function* (fact) {
            const { caseId, organizationId, outcome, paymentId, status } = fact
            const before = yield* repo.lock(fact)
            if (before.version >= fact.version) return
            yield* repo.update(fact)
            const details = { paymentId, status }
            const record = cases.record(organizationId, caseId, { type: "PAYMENT_CHANGED", details })
            const standing = yield* Effect.orDie(record)
            if (outcome === before.outcome) return
            const isAbandoned = standing.status === "ABANDONED"
            // Who takes what was held for a closed case means to, and nobody has to look.
            const isUnasked = standing.isArchived && before.status !== "AUTHORIZED"
            if (outcome === "SUCCEEDED" && (isAbandoned || isUnasked)) {
              yield* Effect.orDie(cases.move(organizationId, caseId, { name: "paymentSucceeded" }))
              yield* openings.opened(organizationId, caseId)
            }
            if (outcome === "FAILED" && isAbandoned && !standing.isArchived) {
              const archiveNote = "Payment intent failed"
              yield* Effect.orDie(cases.move(organizationId, caseId, { name: "paymentFailed", archiveNote }))
            }
          },
          (changed) => inTransaction(sql)(changed)
        )
      })
    })
  ).pipe(Layer.provide([Cases.layer, CaseOpenings.layer]))
}
