import { randomUUID } from "node:crypto"
import { type PaymentDeclined, PaymentMethodMissing, toMinorUnits } from "@care/domain/payments"
import { runForeignCall } from "@care/foreign-calls"
import { makePatientKeys } from "@care/phi"
import { inTransaction, PeerUnavailable } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { SavedMethods } from "../../customers/index.ts"
import {
  failed,
  type NewPayment,
  type OperationKey,
  type PaymentRow,
  Payments,
  PendingOperations
} from "../../payments/index.ts"
import { type IntentNow, type IntentUpdate, PaymentIntents, stripeExponent } from "../../stripe/index.ts"
import { type DeclineReason, declined } from "./declined.ts"

/** A new payment with a known patient and price. */
export interface PricedPayment extends NewPayment {
  readonly userId: NonNullable<NewPayment["userId"]>
  readonly amount: string
  readonly currency: string
}

/** An operation with the intent that this attempt has stored for it. */
interface Tried extends OperationKey {
  readonly intentId: string | null
}

/** An operation whose intent is ready to be confirmed. */
interface Opened extends Tried {
  readonly intentId: string
}

type Refusal = PaymentDeclined | PaymentMethodMissing

// A payment that was authorized once is not authorized again.
const isOver = ({ operation, status }: PaymentRow) =>
  operation !== "AUTHORIZE" && operation !== "ABANDON" && status !== "ERROR"

// Another attempt has settled the operation, or is about to. Repeating the request finds the outcome.
const unsettled = Effect.die(new PeerUnavailable({ peer: "Stripe" }))

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
        known: Option.Option<PaymentRow>,
        firstOperationId: string
      ) {
        const { id: paymentId, organizationId } = payment
        if (Option.isNone(known)) yield* Effect.orDie(payments.add(payment))
        // A retry after a failure is a new operation.
        const fresh = Option.isNone(known) ? firstOperationId : randomUUID()
        const anew = { status: "UNPAID", intentId: null, operationAmount: payment.amount } as const
        const operation = yield* pending
          .begin({ organizationId, paymentId }, "AUTHORIZE", (before) =>
            Effect.succeed({ payment: { ...before, ...anew }, operationId: fresh })
          )
          .pipe(Effect.catchTags({ PaymentOperationPending: () => unsettled, PaymentNotFound: Effect.die }))
        return operation.operationId
      }, inTransaction(sql))

      // If a parallel attempt has stored another intent, that attempt confirms it.
      const refuse = Effect.fnUntraced(function* (
        { intentId, ...key }: Tried,
        decline: DeclineReason,
        update?: IntentUpdate
      ) {
        const { status } = yield* pending.settle(key, update, (before) =>
          before.intentId === intentId ? failed(before) : undefined
        )
        return yield* status === "ERROR" ? declined(decline) : unsettled
      })

      const open = Effect.fnUntraced(function* (
        payment: PricedPayment,
        known: Option.Option<PaymentRow>,
        firstOperationId: string
      ): Effect.fn.Return<Opened, Refusal> {
        const { amount, currency, id: paymentId, organizationId, userId } = payment
        const method = yield* Effect.fromOption(
          yield* methods.find(organizationId, userId),
          () => new PaymentMethodMissing()
        )
        const knownOperationId = Option.flatMapNullishOr(known, (before) => before.operationId)
        const operationId = Option.isSome(knownOperationId)
          ? knownOperationId.value
          : yield* begin(payment, known, firstOperationId)
        const key = { organizationId, paymentId, operationId }
        const price = { units: toMinorUnits(amount, stripeExponent(currency)), currency }
        const intentId = yield* Effect.catchTag(
          intents.open(payment, price, method, key.operationId),
          "StripeRefused",
          (refusal) => refuse({ ...key, intentId: null }, refusal)
        )
        // The intent that is stored first is confirmed. A parallel attempt may have created another one, with another
        // method.
        const stored = yield* pending.during(key, (before) => ({ ...before, intentId: before.intentId ?? intentId }))
        return stored.operationId === operationId && stored.intentId !== null
          ? { ...key, intentId: stored.intentId }
          : yield* unsettled
      })

      const concluded = Effect.fnUntraced(function* (opened: Opened, { update, status }: IntentNow) {
        if (status === "processing") return yield* unsettled
        if (status === "requires_action" || status === "requires_payment_method") {
          return yield* refuse(opened, { status: 402, code: "authentication_required" }, update)
        }
        const settle = pending.settle(opened, update)
        return Effect.flatMap(settle, (payment) => (isOver(payment) ? Effect.succeed(payment) : unsettled))
      })

      // A repeated confirmation would be answered as the first one was, whatever the intent became since.
      const confirm = (opened: Opened, wasAsked: boolean) =>
        runForeignCall({
          wasAsked,
          begin: Effect.succeed(opened),
          call: intents.confirm,
          classify: () => "REFUSED",
          look: () =>
            Effect.map(Effect.orDie(intents.find(opened.organizationId, opened.intentId)), (now) =>
              now.status === "requires_confirmation" ? undefined : now
            )
        }).pipe(
          Effect.catchTag("StripeRefused", (refusal) => refuse(opened, refusal)),
          Effect.flatMap((now) => concluded(opened, now))
        )

      return Authorizations.of({
        authorize: Effect.fn("Authorizations.authorize")(function* (payment, firstOperationId) {
          const { id: paymentId, organizationId, userId } = payment
          const known = yield* payments.find(organizationId, paymentId)
          if (Option.isNone(known)) return yield* confirm(yield* open(payment, known, firstOperationId), false)
          // Nothing changes then, but the stored answer needs the patient's key.
          if (isOver(known.value)) return Effect.as(patientKeys.of(organizationId, userId), known.value)
          const { currency, intentId, operation, operationId } = known.value
          if (operation === "ABANDON") return yield* unsettled
          // The currency of the case may have been learnt since. The stored one is used, because an idempotency key at
          // the gateway has one price.
          const resumed = { ...payment, currency: currency ?? payment.currency }
          return operationId === null || intentId === null
            ? yield* confirm(yield* open(resumed, known, firstOperationId), false)
            : yield* confirm({ organizationId, paymentId, operationId, intentId }, true)
        })
      })
    })
  ).pipe(Layer.provide([PaymentIntents.layer, PendingOperations.layer, Payments.layer]))
}
