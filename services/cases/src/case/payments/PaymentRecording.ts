import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { casePaymentsApi } from "@care/domain/payments"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Schema } from "effect"

/**
 * Sends payments the payment that a case begins with. The job is committed with the case, so that payments has one for every stored
 * case and for no other. Payments records it once for each case, however often the job runs.
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
      peer(casePaymentsApi, "casePayments"),
      (payments) => (payload) => Effect.asVoid(payments.record({ payload }))
    )
  )
}
