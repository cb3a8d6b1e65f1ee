import { caseLookupApi } from "@care/domain/cases"
import { peer, unexpected } from "@care/service-kit"
import { Effect } from "effect"
import { CasePayments } from "./CasePayments.ts"
import { PreparationCheck } from "./PreparationCheck.ts"

/** Releases the preparation of a case that does not exist. The payment of an existing case is about to be recorded. */
export const layerPreparationChecks = PreparationCheck.worker(
  Effect.gen(function* () {
    const cases = yield* peer(caseLookupApi, "caseLookup")
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
