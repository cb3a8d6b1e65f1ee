import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { PaymentsApi } from "@care/domain/payments"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Schema } from "effect"

/**
 * Tells payments of the payment that a case begins with. It is a job committed with the case, so that there is a payment
 * for every case that was stored and for no other; payments records it once a case, however often it is told.
 */
export class PaymentRecording extends Job.make<PaymentRecording>()("payment-recording", {
  version: 1,
  schema: Schema.Struct({
    organizationId: OrganizationId,
    caseId: CaseId,
    userId: UserId,
    amount: Schema.NullOr(Schema.String),
    currency: Schema.NullOr(Schema.String),
    discount: Schema.NullOr(Schema.String),
    description: Schema.NullOr(Schema.String),
    providerReference: Schema.NullOr(
      Schema.Struct({ type: Schema.Literals(["SETUP_INTENT", "PAYMENT_INTENT", "PAYMENT_TOKEN"]), id: Schema.String })
    )
  }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {
  static readonly layerWorker = PaymentRecording.worker(
    Effect.map(
      peer(PaymentsApi, "casePayments"),
      (payments) => (payload) => Effect.asVoid(payments.record({ payload }))
    )
  )
}
