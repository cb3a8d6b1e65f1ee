import type { RateLimited } from "@care/domain/http"
import type { PaymentId } from "@care/domain/ids"
import {
  type InitialPayment,
  IntentInUse,
  IntentUnpaid,
  type PlannedPayment,
  type Preparation,
  type PreparedPayment,
  type PromoCodeNotFound,
  type ProviderReference,
  ReferenceRefused
} from "@care/domain/payments"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { SavedMethods } from "../customers/index.ts"
import { Payments } from "../payments/index.ts"
import { makeGuessLimit, PromoCodes } from "../promoCodes/index.ts"
import { initialPayment } from "./initialPayment.ts"
import { makeRedeemDiscounts } from "./makeRedeemDiscounts.ts"
import { PreparationCheck } from "./PreparationCheck.ts"
import { makePreparationsRepo } from "./PreparationsRepo.ts"
import { References, unknownReference, type VerifiedReference } from "./references/References.ts"

const namesPromoCodes = ({ discounts: { products, whole } }: PlannedPayment) => whole !== null || products.length > 0

/** The payments that cases begin with. */
export class CasePayments extends Context.Service<
  CasePayments,
  {
    /**
     * Verifies the payment's reference, redeems its promo codes, and stores the payment before its case. Idempotent by
     * the case; of several attempts the last one owns the preparation.
     */
    readonly prepare: (
      payment: PlannedPayment
    ) => Effect.Effect<PreparedPayment, ReferenceRefused | IntentUnpaid | IntentInUse | PromoCodeNotFound | RateLimited>
    /** Returns whether this attempt is the last one that prepared the payment. */
    readonly isPrepared: (preparation: Preparation) => Effect.Effect<boolean>
    /** Removes what this attempt prepared, with its uses of promo codes, because the case was refused. */
    readonly release: (preparation: Preparation) => Effect.Effect<void>
    /**
     * Records the payment of a stored case, once for each case, and saves its payment method for the patient. If its
     * intent already pays another case, only the reference is stored.
     */
    readonly record: (payment: InitialPayment) => Effect.Effect<PaymentId>
  }
>()("@care/payments/casePayments/CasePayments") {
  static readonly layer = Layer.effect(
    CasePayments,
    Effect.gen(function* () {
      const checks = yield* PreparationCheck
      const guesses = yield* makeGuessLimit
      const methods = yield* SavedMethods
      const payments = yield* Payments
      const promoCodes = yield* PromoCodes
      const redeemDiscounts = yield* makeRedeemDiscounts
      const references = yield* References
      const repo = yield* makePreparationsRepo
      const sql = yield* SqlClient.SqlClient

      const verify = Effect.fnUntraced(function* ({
        mustBePaid,
        organizationId,
        providerReference,
        setupIntentId
      }: PlannedPayment) {
        const verifyIf = (reference: ProviderReference | null) =>
          Effect.exit(reference === null ? Effect.succeed({}) : references.verify(organizationId, reference))
        const setupIntent: ProviderReference | null =
          setupIntentId === null ? null : { type: "SETUP_INTENT", id: setupIntentId }
        const [payingResult, savedResult] = yield* Effect.all([verifyIf(providerReference), verifyIf(setupIntent)], {
          concurrency: 2
        })
        // Of two refusals that of the payment comes first.
        const verified: VerifiedReference = { ...(yield* payingResult), ...(yield* savedResult) }
        if (mustBePaid === true && verified.update?.state.isPaid !== true) return yield* new IntentUnpaid()
        return verified
      })

      // Locks are taken in one order: the preparation, promo codes, the intent, the payment.
      const store = Effect.fnUntraced(function* (planned: PlannedPayment, { method, update }: VerifiedReference) {
        const { caseId, organizationId, preparationId } = planned
        yield* repo.hold(planned, method)
        const terms = { userId: null, discount: yield* redeemDiscounts(planned), holdsIntent: true }
        const { discount, isPrepared } = yield* payments.add(initialPayment(planned, terms), update)
        // The case may already be recorded when an attempt is late.
        if (!isPrepared) yield* repo.end(organizationId, caseId)
        yield* checks.offer({ organizationId, caseId, preparationId }, { delay: PreparationCheck.delay })
        return { discount }
      }, inTransaction(sql))

      return CasePayments.of({
        prepare: Effect.fn("CasePayments.prepare")(function* (planned) {
          if (namesPromoCodes(planned)) yield* guesses.require(planned.organizationId)
          const verified = yield* verify(planned)
          return yield* Effect.catchTags(store(planned, verified), {
            IntentTaken: ({ isForeign }): Effect.Effect<never, ReferenceRefused | IntentInUse> =>
              Effect.fail(
                isForeign
                  ? new ReferenceRefused({ type: "PAYMENT_INTENT", reason: unknownReference.PAYMENT_INTENT })
                  : new IntentInUse()
              ),
            PromoCodeNotFound: guesses.refuse(planned.organizationId)
          })
        }),

        isPrepared: Effect.fn("CasePayments.isPrepared")(repo.isHeld),

        release: Effect.fn("CasePayments.release")(function* (preparation) {
          const { caseId, organizationId } = preparation
          if (!(yield* repo.drop(preparation))) return
          yield* promoCodes.release(organizationId, caseId)
          yield* payments.dropPrepared(organizationId, caseId)
        }, inTransaction(sql)),

        record: Effect.fn("CasePayments.record")(function* ({ discount, userId, ...payment }) {
          const { caseId, organizationId } = payment
          const method = yield* repo.end(organizationId, caseId)
          const add = (holdsIntent: boolean) => payments.add(initialPayment(payment, { userId, discount, holdsIntent }))
          const { id } = yield* Effect.catchTag(add(true), "IntentTaken", () => Effect.orDie(add(false)))
          yield* Effect.orDie(
            payments.change(organizationId, id, (before) => Effect.succeed({ ...before, userId, isPrepared: false }))
          )
          if (Option.isSome(method)) {
            // The case keeps its payment even if the method cannot be saved.
            yield* Effect.ignore(methods.save({ organizationId, userId, ...method.value }))
          }
          return id
        }, inTransaction(sql))
      })
    })
  ).pipe(
    Layer.provide([Payments.layer, PreparationCheck.layer, PromoCodes.layer, References.layer, SavedMethods.layer])
  )
}
