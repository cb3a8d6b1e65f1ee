import { answerLimits } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import type { PromoCodeNotFound } from "@care/domain/payments"
import { makeAnswerLimit } from "@care/service-kit"
import { Effect } from "effect"

/** Makes the limit on unknown promo codes that an organization may name, in all operations together. */
export const makeGuessLimit = Effect.map(makeAnswerLimit(answerLimits.unknownPromoCodes), ({ count, require }) => ({
  require,
  /** Fails with the error, and counts it if the code is unknown. */
  refuse: (organizationId: OrganizationId) =>
    Effect.fnUntraced(function* (refusal: PromoCodeNotFound) {
      if (!refusal.isKnown) yield* count(organizationId)
      return yield* refusal
    })
}))
