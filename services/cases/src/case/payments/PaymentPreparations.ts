import { randomUUID } from "node:crypto"
import type { RateLimited } from "@care/domain/http"
import { PreparationId } from "@care/domain/ids"
import {
  casePaymentsApi,
  type IntentInUse,
  type IntentUnpaid,
  type PlannedPayment,
  type PromoCodeNotFound,
  type ReferenceRefused
} from "@care/domain/payments"
import { PeerUnavailable, peer, safeCause, unexpected } from "@care/service-kit"
import { Cause, Clock, Context, Effect, Exit, Layer, type Scope } from "effect"

/** A payment that is prepared for a case. */
export interface PaymentPreparation {
  /** The amount that promo codes take off, or null without any. */
  readonly discount: string | null
  /** Run it just before the case is stored. Dies when it is too late to store the case. */
  readonly beforeStore: Effect.Effect<void>
}

/**
 * How long after its payment was prepared a case may be stored. After ten times as long, payments looks for the case
 * (`PreparationCheck`), and releases the payment of one that does not exist: this limit keeps it from being stored later.
 */
const maxAgeMillis = 60_000

/** Prepares the payments of cases that are about to be stored. */
export class PaymentPreparations extends Context.Service<
  PaymentPreparations,
  {
    /**
     * Has payments look up what a payment refers to, use its promo codes and reserve it, outside any transaction. It is released at the
     * end of the scope if the case was refused, or failed before `beforeStore`. After that, a failure leaves open whether the case was
     * stored, and payments finds out.
     */
    readonly prepare: (
      payment: Omit<PlannedPayment, "preparationId">
    ) => Effect.Effect<
      PaymentPreparation,
      ReferenceRefused | IntentUnpaid | IntentInUse | PromoCodeNotFound | RateLimited,
      Scope.Scope
    >
  }
>()("@care/cases/payments/PaymentPreparations") {
  static readonly layer = Layer.effect(
    PaymentPreparations,
    Effect.gen(function* () {
      const payments = yield* peer(casePaymentsApi, "casePayments")
      const slowPayments = yield* peer(casePaymentsApi, "casePayments", { callsThirdParty: true })

      return PaymentPreparations.of({
        prepare: Effect.fn("PaymentPreparations.prepare")(function* (payment) {
          const { caseId, organizationId } = payment
          const preparationId = PreparationId.make(randomUUID())
          const preparedAt = yield* Clock.currentTimeMillis
          let mayBeStored = false

          const release = payments
            .release({ payload: { organizationId, caseId, preparationId } })
            .pipe(
              Effect.catchCause((cause) => Effect.logWarning("A prepared payment was not released", safeCause(cause)))
            )
          const { discount } = yield* slowPayments.prepare({ payload: { ...payment, preparationId } }).pipe(
            Effect.catchTags(unexpected),
            Effect.onError((cause) => (Cause.hasFails(cause) ? Effect.void : release))
          )
          yield* Effect.addFinalizer((exit) => {
            const isRefused = Exit.isFailure(exit) && (Cause.hasFails(exit.cause) || !mayBeStored)
            return isRefused ? release : Effect.void
          })

          const beforeStore = Effect.gen(function* () {
            const isLate = (yield* Clock.currentTimeMillis) - preparedAt > maxAgeMillis
            if (isLate) return yield* Effect.die(new PeerUnavailable({ peer: "payments" }))
            mayBeStored = true
          })
          return { discount, beforeStore }
        })
      })
    })
  )
}
