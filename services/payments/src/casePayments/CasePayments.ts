import { randomUUID } from "node:crypto"
import { PaymentId } from "@care/domain/ids"
import type { InitialPayment } from "@care/domain/payments"
import { Context, DateTime, Effect, Layer } from "effect"
import { makeCasePaymentsRepo } from "./CasePaymentsRepo.ts"

export class CasePayments extends Context.Service<
  CasePayments,
  {
    /** Records the payment that a case begins with, as `UNPAID`. Once a case, however often it is told. */
    readonly record: (payment: InitialPayment) => Effect.Effect<PaymentId>
  }
>()("@care/payments/casePayments/CasePayments") {
  static readonly layer = Layer.effect(
    CasePayments,
    Effect.gen(function* () {
      const repo = yield* makeCasePaymentsRepo
      return CasePayments.of({
        record: Effect.fn("CasePayments.record")(function* (payment) {
          yield* repo.insertInitial(PaymentId.make(randomUUID()), payment, yield* DateTime.nowAsDate)
          return (yield* repo.getInitial(payment)).id
        })
      })
    })
  )
}
