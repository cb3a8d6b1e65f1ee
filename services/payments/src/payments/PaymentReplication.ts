import { CasesApi } from "@care/domain/cases"
import { OrganizationId, PaymentId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { makePaymentsRepo } from "./PaymentsRepo.ts"

/**
 * Tells cases what became of a payment: as it stands when the job is done, so that of several the last one tells all. What
 * follows from it for the case, follows there, once. It is committed with the change of the payment.
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
        // One that is prepared is of no case yet: it is told of when there is one.
        if (Option.isNone(found) || found.value.isPrepared) return
        const { caseId, outcome, status, version } = found.value
        yield* cases.paymentChanged({ payload: { organizationId, caseId, paymentId, status, outcome, version } })
      })
    })
  )
}
