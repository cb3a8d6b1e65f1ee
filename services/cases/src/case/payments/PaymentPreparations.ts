import { randomUUID } from "node:crypto"
import type { RateLimited } from "@care/domain/http"
import { PreparationId } from "@care/domain/ids"
import {
  type IntentInUse,
  type IntentUnpaid,
  PaymentsApi,
  type PlannedPayment,
  type PromoCodeNotFound,
  type ReferenceRefused
} from "@care/domain/payments"
import { PeerUnavailable, peer, safeCause, unexpected } from "@care/service-kit"
import { Cause, Clock, Context, Effect, Exit, Layer, type Scope } from "effect"

/** A payment that is prepared for a case. */
export interface PreparedPayment {
  /** What promo codes take off it; null when none does. */
  readonly discount: string | null
  /** To be done just before the case is stored. Dies, and nothing is to be stored, when that has become too late. */
  readonly storing: Effect.Effect<void>
}

/**
 * How long after its payment was prepared a case may be stored. Payments looks after ten times as long whether there is the
 * case (`PreparationCheck`), and gives back what was prepared for one that is not there: so that one never comes.
 */
const latestMillis = 60_000

/** The payments of cases that are about to be stored. */
export class PaymentPreparations extends Context.Service<
  PaymentPreparations,
  {
    /**
     * Has payments look up what a payment refers to, use its promo codes and keep it, outside any transaction. It is given
     * back at the end of the scope if the case is refused or was not to be stored yet. When nobody knows whether the case
     * was stored, payments finds out.
     */
    readonly prepare: (
      planned: Omit<PlannedPayment, "preparationId">
    ) => Effect.Effect<
      PreparedPayment,
      ReferenceRefused | IntentUnpaid | IntentInUse | PromoCodeNotFound | RateLimited,
      Scope.Scope
    >
  }
>()("@care/cases/payments/PaymentPreparations") {
  static readonly layer = Layer.effect(
    PaymentPreparations,
    Effect.gen(function* () {
      const payments = yield* peer(PaymentsApi, "casePayments")
      const preparing = yield* peer(PaymentsApi, "casePayments", { callsThirdParty: true })

      return PaymentPreparations.of({
        prepare: Effect.fn("PaymentPreparations.prepare")(function* (planned) {
          const { caseId, organizationId } = planned
          const preparationId = PreparationId.make(randomUUID())
          const since = yield* Clock.currentTimeMillis
          let mayBeStored = false

          const release = payments
            .release({ payload: { organizationId, caseId, preparationId } })
            .pipe(Effect.catchCause((cause) => Effect.logWarning("A payment was not given back", safeCause(cause))))
          const { discount } = yield* preparing.prepare({ payload: { ...planned, preparationId } }).pipe(
            Effect.catchTags(unexpected),
            Effect.onError((cause) => (Cause.hasFails(cause) ? Effect.void : release))
          )
          yield* Effect.addFinalizer((exit) => {
            const isRefused = Exit.isFailure(exit) && (Cause.hasFails(exit.cause) || !mayBeStored)
            return isRefused ? release : Effect.void
          })

          const storing = Effect.gen(function* () {
            const isLate = (yield* Clock.currentTimeMillis) - since > latestMillis
            if (isLate) return yield* Effect.die(new PeerUnavailable({ peer: "payments" }))
            mayBeStored = true
          })
          return { discount, storing }
        })
      })
    })
  )
}
