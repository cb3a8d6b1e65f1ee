import { randomUUID } from "node:crypto"
import { type CaseId, type OrganizationId, PaymentId, type UserId } from "@care/domain/ids"
import { type InitialPayment, type PlannedPayment, ReferenceRefused } from "@care/domain/payments"
import { Context, Effect, Layer } from "effect"
import { type NewPayment, Payments } from "../payments/Payments.ts"
import { References } from "../references/References.ts"

interface Standing {
  readonly userId: UserId | null
  readonly discount: string | null
  readonly holdsIntent: boolean
}

const newPayment = (told: Omit<InitialPayment, "userId" | "discount">, standing: Standing): NewPayment => {
  const { amount, caseId, currency, description, organizationId, providerReference } = told
  const { discount, holdsIntent, userId } = standing
  const isIntent = providerReference?.type === "PAYMENT_INTENT"
  return {
    organizationId,
    id: PaymentId.make(randomUUID()),
    caseId,
    userId,
    productId: null,
    isInitial: true,
    isPrepared: userId === null,
    status: "UNPAID",
    currency,
    grossAmount: amount,
    discount,
    amount,
    description,
    providerReferenceType: providerReference?.type ?? null,
    providerReferenceId: providerReference?.id ?? null,
    intentId: isIntent && holdsIntent ? providerReference.id : null
  }
}

/** The payments that cases begin with. */
export class CasePayments extends Context.Service<
  CasePayments,
  {
    /** Looks up what the payment of a case refers to, and stores it for when the case is stored. */
    readonly prepare: (payment: PlannedPayment) => Effect.Effect<{ readonly discount: string | null }, ReferenceRefused>
    /** The case is not to be: nothing that was prepared for it is left. */
    readonly release: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<void>
    /**
     * Records the payment that a stored case began with, once a case, however often it is told. Of an intent that pays
     * another case already the reference is kept, and nothing more.
     */
    readonly record: (payment: InitialPayment) => Effect.Effect<PaymentId>
  }
>()("@care/payments/casePayments/CasePayments") {
  static readonly layer = Layer.effect(
    CasePayments,
    Effect.gen(function* () {
      const payments = yield* Payments
      const references = yield* References

      return CasePayments.of({
        prepare: Effect.fn("CasePayments.prepare")(function* (planned) {
          const { organizationId, providerReference } = planned
          const news =
            providerReference === null ? undefined : yield* references.verify(organizationId, providerReference)
          const standing = { userId: null, discount: null, holdsIntent: true }
          const { discount } = yield* payments
            .add(newPayment(planned, standing), news)
            .pipe(Effect.mapError(() => new ReferenceRefused({ reason: "the payment intent pays another case" })))
          return { discount }
        }),

        release: Effect.fn("CasePayments.release")(payments.dropPrepared),

        record: Effect.fn("CasePayments.record")(function* ({ discount, userId, ...payment }) {
          const { organizationId } = payment
          const added = (holdsIntent: boolean) => payments.add(newPayment(payment, { userId, discount, holdsIntent }))
          const { id } = yield* Effect.catchTag(added(true), "IntentTaken", () => Effect.orDie(added(false)))
          yield* Effect.orDie(
            payments.change(organizationId, id, (before) => Effect.succeed({ ...before, userId, isPrepared: false }))
          )
          return id
        })
      })
    })
  ).pipe(Layer.provide([Payments.layer, References.layer]))
}
