import { randomUUID } from "node:crypto"
import { type PaymentDeclined, PaymentMethodMissing, toMinorUnits } from "@care/domain/payments"
import { runForeignCall } from "@care/foreign-calls"
import { makePatientKeys } from "@care/phi"
import { inTransaction, PeerUnavailable } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { SavedMethods } from "../../customers/index.ts"
import {
  erroredPayment,
  type NewPayment,
  type OperationKey,
  type PaymentRow,
  Payments,
  PendingOperations
} from "../../payments/index.ts"
import { type CurrentIntent, type IntentUpdate, PaymentIntents, stripeExponent } from "../../stripe/index.ts"
import { type DeclineReason, declined } from "./declined.ts"

/** A new payment with a patient and a price. */
export interface PricedPayment extends NewPayment {
  readonly userId: NonNullable<NewPayment["userId"]>
  readonly amount: string
  readonly currency: string
}

/** An attempt at an operation, with the intent that it has stored, if any. */
interface Attempt extends OperationKey {
  readonly intentId: string | null
}

/** An attempt whose intent is ready to be confirmed. */
interface OpenAttempt extends Attempt {
  readonly intentId: string
}

type Refusal = PaymentDeclined | PaymentMethodMissing

// A payment that was authorized once is not authorized again.
const isSettled = ({ operation, status }: PaymentRow) =>
  operation !== "AUTHORIZE" && operation !== "ABANDON" && status !== "ERROR"

// Another attempt has settled the operation, or is about to. A repeated request finds the outcome.
const outcomeUnknown = Effect.die(new PeerUnavailable({ peer: "Stripe" }))

/** Authorizes payments on the patient's saved payment method, to be captured later. */
export class Authorizations extends Context.Service<
  Authorizations,
  {
    /**
     * Stores a payment and authorizes its amount, idempotently by its ids: a repetition resumes an unfinished attempt,
     * and retries a failed one. Returns the effect that stores the gateway's answer, which only uses the database. Dies
     * as `PeerUnavailable` when the outcome is unknown; a job settles it then.
     */
    readonly authorize: (
      payment: PricedPayment,
      operationId: string
    ) => Effect.Effect<Effect.Effect<PaymentRow>, Refusal>
  }
>()("@care/payments/newPayments/Authorizations") {
  static readonly layer = Layer.effect(
    Authorizations,
    Effect.gen(function* () {
      const intents = yield* PaymentIntents
      const methods = yield* SavedMethods
      const patientKeys = yield* makePatientKeys
      const payments = yield* Payments
      const pending = yield* PendingOperations
      const sql = yield* SqlClient.SqlClient

      const begin = Effect.fnUntraced(function* (
        payment: PricedPayment,
        existing: Option.Option<PaymentRow>,
        firstOperationId: string
      ) {
        const { id: paymentId, organizationId } = payment
        if (Option.isNone(existing)) yield* Effect.orDie(payments.add(payment))
        // A retry after a failure is a new operation.
        const operationId = Option.isNone(existing) ? firstOperationId : randomUUID()
        const reset = { status: "UNPAID", intentId: null, operationAmount: payment.amount } as const
        const operation = yield* pending
          .begin({ organizationId, paymentId }, "AUTHORIZE", (before) =>
            Effect.succeed({ payment: { ...before, ...reset }, operationId: operationId })
          )
          .pipe(Effect.catchTags({ PaymentOperationPending: () => outcomeUnknown, PaymentNotFound: Effect.die }))
        return operation.operationId
      }, inTransaction(sql))

      // If a parallel attempt has stored another intent, that attempt confirms it.
      const refuse = Effect.fnUntraced(function* (
        { intentId, ...key }: Attempt,
        decline: DeclineReason,
        update?: IntentUpdate
      ) {
        const { status } = yield* pending.settle(key, update, (before) =>
          before.intentId === intentId ? erroredPayment(before) : undefined
        )
        return yield* status === "ERROR" ? declined(decline) : outcomeUnknown
      })

      const open = Effect.fnUntraced(function* (
        payment: PricedPayment,
        existing: Option.Option<PaymentRow>,
        firstOperationId: string
      ): Effect.fn.Return<OpenAttempt, Refusal> {
        const { amount, currency, id: paymentId, organizationId, userId } = payment
        const method = yield* Effect.fromOption(
          yield* methods.find(organizationId, userId),
          () => new PaymentMethodMissing()
        )
        const pendingOperationId = Option.flatMapNullishOr(existing, (before) => before.operationId)
        const operationId = Option.isSome(pendingOperationId)
          ? pendingOperationId.value
          : yield* begin(payment, existing, firstOperationId)
        const key = { organizationId, paymentId, operationId }
        const price = { units: toMinorUnits(amount, stripeExponent(currency)), currency }
        const intentId = yield* Effect.catchTag(
          intents.open(payment, price, method, key.operationId),
          "StripeRefused",
          (refusal) => refuse({ ...key, intentId: null }, refusal)
        )
        // The intent that is stored first is confirmed. A parallel attempt may have created another one, with another
        // method.
        const stored = yield* pending.changeDuring(key, (before) => ({
          ...before,
          intentId: before.intentId ?? intentId
        }))
        return stored.operationId === operationId && stored.intentId !== null
          ? { ...key, intentId: stored.intentId }
          : yield* outcomeUnknown
      })

      const conclude = Effect.fnUntraced(function* (attempt: OpenAttempt, { update, status }: CurrentIntent) {
        if (status === "processing") return yield* outcomeUnknown
        if (status === "requires_action" || status === "requires_payment_method") {
          return yield* refuse(attempt, { status: 402, code: "authentication_required" }, update)
        }
        const settle = pending.settle(attempt, update)
        return Effect.flatMap(settle, (payment) => (isSettled(payment) ? Effect.succeed(payment) : outcomeUnknown))
      })

      // The gateway would replay the response of the first confirmation, whatever the intent became since.
      const confirm = (attempt: OpenAttempt, isRepetition: boolean) =>
        runForeignCall({
          isRepetition,
          begin: Effect.succeed(attempt),
          call: intents.confirm,
          classify: () => "REFUSED",
          findResult: () =>
            Effect.map(Effect.orDie(intents.find(attempt.organizationId, attempt.intentId)), (current) =>
              current.status === "requires_confirmation" ? undefined : current
            )
        }).pipe(
          Effect.catchTag("StripeRefused", (refusal) => refuse(attempt, refusal)),
          Effect.flatMap((current) => conclude(attempt, current))
        )

      return Authorizations.of({
        authorize: Effect.fn("Authorizations.authorize")(function* (payment, firstOperationId) {
          const { id: paymentId, organizationId, userId } = payment
          const existing = yield* payments.find(organizationId, paymentId)
          if (Option.isNone(existing)) return yield* confirm(yield* open(payment, existing, firstOperationId), false)
          // Nothing changes then, but the stored answer needs the patient's key.
          if (isSettled(existing.value)) return Effect.as(patientKeys.of(organizationId, userId), existing.value)
          const { currency, intentId, operation, operationId } = existing.value
          if (operation === "ABANDON") return yield* outcomeUnknown
          // The currency of the case may have become known since. The stored one is used, because an idempotency key at
          // the gateway has one price.
          const resumed = { ...payment, currency: currency ?? payment.currency }
          return operationId === null || intentId === null
            ? yield* confirm(yield* open(resumed, existing, firstOperationId), false)
            : yield* confirm({ organizationId, paymentId, operationId, intentId }, true)
        })
      })
    })
  ).pipe(Layer.provide([PaymentIntents.layer, PendingOperations.layer, Payments.layer]))
}
