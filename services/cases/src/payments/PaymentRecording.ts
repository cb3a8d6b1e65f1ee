import { InitialPayment, PaymentsApi } from "@care/domain"
import { layerWorker, peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { PersistedQueue } from "effect/persistence"

/**
 * Tells payments of the payment that a case begins with. It is a job committed with the case, so that there is a payment
 * for every case that was stored and for no other; payments records it once a case, however often it is told.
 */
export class PaymentRecording extends Context.Service<
  PaymentRecording,
  PersistedQueue.PersistedQueue<InitialPayment>
>()("@care/cases/payments/PaymentRecording") {
  static readonly layer = Layer.effect(
    PaymentRecording,
    PersistedQueue.make({ name: "payment-recording", schema: InitialPayment, maxAttempts: 50 })
  )

  static readonly layerWorker = Layer.unwrap(
    Effect.gen(function* () {
      const payments = yield* peer(PaymentsApi, "casePayments")
      return layerWorker({
        name: "payment-recording",
        queue: yield* PaymentRecording,
        concurrency: 2,
        perform: (payment) => Effect.asVoid(payments.record({ payload: payment }))
      })
    })
  )
}
