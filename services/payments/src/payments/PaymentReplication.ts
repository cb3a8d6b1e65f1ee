import { CasesApi } from "@care/domain/cases"
import { OrganizationId, PaymentId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { makePaymentsRepo } from "./PaymentsRepo.ts"

/**
 * Sends the current state of a payment to cases, which applies its effects on the case once. It is committed with the
 * change of the payment.
 */
export class PaymentReplication extends Job.make<PaymentReplication>()("payment-replication", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, paymentId: PaymentId }),
  retries: Job.forThreeDays,
  concurrency: 4
}) {
  static readonly layerWorker = PaymentReplication.worker(
    Effect.gen(function* () {
      const cases = yield* peer(CasesApi, "caseFacts")
      const repo = yield* makePaymentsRepo
      return Effect.fnUntraced(function* ({ organizationId, paymentId }) {
        const found = yield* repo.find(organizationId, paymentId)
        // A prepared payment has no case yet; it is sent when it has one.
        if (Option.isNone(found) || found.value.isPrepared) return
        const { caseId, outcome, status, version } = found.value
        yield* cases.paymentChanged({ payload: { organizationId, caseId, paymentId, status, outcome, version } })
      })
    })
  )
}
