import { randomUUID } from "node:crypto"
import type { RequestInvalid } from "@care/domain/http"
import type { PaymentId } from "@care/domain/ids"
import {
  GatewayRefused,
  type PartOfPayment,
  type PaymentAmountTooHigh,
  PaymentNotAtGateway,
  PaymentNotFound,
  type PaymentOperation,
  type PaymentOperationPending,
  type PaymentRefund,
  type PaymentRefundedOtherwise,
  type PaymentStatus,
  PaymentStatusConflict,
  toMinorUnits
} from "@care/domain/payments"
import { PeerUnavailable } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import {
  dieUnavailable,
  type IntentNow,
  PaymentIntents,
  type RefundFailed,
  type StripeFailed,
  type StripeRefused
} from "../../stripe/index.ts"
import { Payments } from "../Payments.ts"
import type { PaymentRow } from "../PaymentsRepo.ts"
import { type AtGateway, atGateway, partOf, refundOf } from "./atGateway.ts"
import { type OperationKey, PendingOperations, type Prepared } from "./PendingOperations.ts"
import { refundIdOf } from "./refundIdOf.ts"

const unitsOf = (amount: string | null, { exponent }: Pick<AtGateway, "exponent">) =>
  amount === null ? 0 : toMinorUnits(amount, exponent)

type Refusal = PaymentNotFound | PaymentNotAtGateway | PaymentStatusConflict | PaymentOperationPending | GatewayRefused
type AmountRefusal = RequestInvalid | PaymentAmountTooHigh

/** An operation: which statuses allow it, how much it is about, and how the gateway is asked for it. */
interface OperationKind<E> {
  readonly name: PaymentOperation
  readonly needed: ReadonlyArray<PaymentStatus>
  readonly amountOf: (known: AtGateway) => Effect.Effect<string | null, E>
  /** Its id, where the same operation again is to have the same one. */
  readonly idOf?: (paymentId: PaymentId, known: AtGateway, units: number) => string
  readonly ask: (
    asked: OperationKey & { readonly intentId: string },
    units: number
  ) => Effect.Effect<IntentNow, StripeRefused | StripeFailed | RefundFailed>
}

/**
 * What operators do with payments at the gateway. An operation is written down before the gateway is asked, one at a time of
 * a payment; one of which nobody knows what became dies as `PeerUnavailable` (503), and is settled by a job.
 */
export class Operations extends Context.Service<
  Operations,
  {
    /** Takes what is held for a payment, or a part of it: the rest is released. */
    readonly capture: (id: PaymentId, part: PartOfPayment) => Effect.Effect<void, Refusal | AmountRefusal>
    /** Lets go what is held. */
    readonly release: (id: PaymentId) => Effect.Effect<void, Refusal>
    /** Gives back what was taken, all that is left or a part of it, if nothing else was given back before than is said. */
    readonly refund: (
      id: PaymentId,
      refund: PaymentRefund
    ) => Effect.Effect<void, Refusal | AmountRefusal | PaymentRefundedOtherwise>
  }
>()("@care/payments/operations/Operations") {
  static readonly layer = Layer.effect(
    Operations,
    Effect.gen(function* () {
      const intents = yield* PaymentIntents
      const payments = yield* Payments
      const pending = yield* PendingOperations

      const known = Effect.fnUntraced(function* (payment: PaymentRow) {
        const { intentId } = payment
        const intent = intentId === null ? Option.none() : yield* payments.findIntent(intentId)
        if (intentId === null || Option.isNone(intent)) return yield* new PaymentNotAtGateway()
        return { intentId, ...atGateway(payment, intent.value) }
      })

      const perform = Effect.fnUntraced(function* <E>(
        paymentId: PaymentId,
        { amountOf, ask, idOf = () => randomUUID(), name, needed }: OperationKind<E>
      ): Effect.fn.Return<void, Refusal | E> {
        const organizationId = yield* payments.ownerOf(paymentId)
        const begun = yield* pending.begin(
          { organizationId, paymentId },
          name,
          Effect.fnUntraced(function* (before): Effect.fn.Return<Prepared, Refusal | E> {
            const { isPrepared, status } = before
            if (isPrepared) return yield* new PaymentNotFound({ paymentId })
            const money = yield* known(before)
            if (!needed.includes(status)) return yield* new PaymentStatusConflict({ status, needed })
            const operationAmount = yield* amountOf(money)
            const operationId = idOf(paymentId, money, unitsOf(operationAmount, money))
            return { payment: { ...before, operationAmount }, operationId }
          })
        )
        const { intentId, ...money } = yield* known(begun.payment)
        const { operationId } = begun
        const key = { organizationId, paymentId, operationId }
        const refused = Effect.fnUntraced(function* ({ code }: StripeRefused) {
          // Where it does stand then was not known here.
          const { update } = yield* Effect.orDie(intents.find(organizationId, intentId))
          yield* pending.settle(key, update)
          return yield* new GatewayRefused({ code })
        })
        // Nothing happened, and that is known.
        const over = (failure: StripeFailed) => Effect.andThen(pending.settle(key, undefined), dieUnavailable(failure))
        // The same request again is another refund.
        const sentBack = ({ update }: RefundFailed) =>
          Effect.andThen(pending.settle(key, update), Effect.die(new PeerUnavailable({ peer: "Stripe" })))
        const units = unitsOf(begun.payment.operationAmount, money)
        const { update } = yield* Effect.catchTags(ask({ ...key, intentId }, units), {
          StripeRefused: refused,
          StripeFailed: over,
          RefundFailed: sentBack
        })
        yield* pending.settle(key, update)
      })

      return Operations.of({
        capture: Effect.fn("Operations.capture")((id, part) =>
          perform(id, {
            name: "CAPTURE",
            needed: ["AUTHORIZED"],
            amountOf: (money) => partOf(money, money.held, part),
            ask: intents.capture
          })
        ),

        release: Effect.fn("Operations.release")((id) =>
          perform(id, {
            name: "RELEASE",
            needed: ["AUTHORIZED"],
            amountOf: () => Effect.succeed(null),
            ask: intents.cancel
          })
        ),

        refund: Effect.fn("Operations.refund")((id, refund) =>
          perform(id, {
            name: "REFUND",
            needed: ["PAID", "REFUND"],
            amountOf: (money) => refundOf(money, refund),
            idOf: refundIdOf,
            ask: intents.refund
          })
        )
      })
    })
  ).pipe(Layer.provide([PendingOperations.layer, Payments.layer]))
}
