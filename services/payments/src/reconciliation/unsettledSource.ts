import type { SweptPage } from "@care/service"
import { makeModes, safeCause } from "@care/service-kit"
import { Effect } from "effect"
import { makeSettleOperation } from "../payments/index.ts"
import { makeSweptPaymentsRepo } from "./SweptPaymentsRepo.ts"
import { unfinishedSource } from "./unfinishedSource.ts"

/** Makes a source that settles operations whose jobs are not retried any more. */
export const makeUnsettledSource = Effect.gen(function* () {
  const modes = yield* makeModes
  const repo = yield* makeSweptPaymentsRepo
  const settle = yield* makeSettleOperation

  return unfinishedSource("unsettled-operations", repo.findUnsettled, ({ id, operationId, organizationId }) => {
    const difference = (action: "REPAIRED" | "REPORTED", what: string): SweptPage["differences"] => [
      { action, what, id, organizationId }
    ]
    return modes.workFor(organizationId, settle({ operationId, organizationId, paymentId: id })).pipe(
      Effect.as(difference("REPAIRED", "An operation of a payment was not settled")),
      Effect.catchCause((cause) =>
        Effect.as(
          Effect.logWarning("An operation of a payment is not settled", safeCause(cause)),
          difference("REPORTED", "An operation of a payment cannot be settled")
        )
      )
    )
  })
})
