import { CasesApi } from "@care/domain/cases"
import { peer, unexpected } from "@care/service-kit"
import { Effect } from "effect"
import { CasePayments } from "./CasePayments.ts"
import { PreparationCheck } from "./PreparationCheck.ts"

/** Gives back what was prepared for a case that is not there. Of one that is there the payment is about to be recorded. */
export const layerPreparationChecks = PreparationCheck.worker(
  Effect.gen(function* () {
    const cases = yield* peer(CasesApi, "caseFacts")
    const checks = yield* PreparationCheck
    const payments = yield* CasePayments
    return Effect.fnUntraced(function* (check) {
      if (!(yield* payments.isPrepared(check))) return
      const isStored = yield* cases
        .owner({ params: { caseId: check.caseId } })
        .pipe(Effect.as(true), Effect.catchTags({ CaseNotFound: () => Effect.succeed(false), ...unexpected }))
      yield* isStored ? checks.offer(check, { delay: PreparationCheck.delay }) : payments.release(check)
    })
  })
)
