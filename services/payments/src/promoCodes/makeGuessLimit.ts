import { answerLimits } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import type { PromoCodeNotFound } from "@care/domain/payments"
import { makeAnswerLimit } from "@care/service-kit"
import { Effect } from "effect"

/** The limit of unknown promo codes that an organization may name, wherever it names them. */
export const makeGuessLimit = Effect.map(makeAnswerLimit(answerLimits.promoCodes), ({ count, require }) => ({
  require,
  /** Tells that a code may not be used: one that is unknown counts. */
  refuse: (organizationId: OrganizationId) =>
    Effect.fnUntraced(function* (refusal: PromoCodeNotFound) {
      if (!refusal.isKnown) yield* count(organizationId)
      return yield* refusal
    })
}))
