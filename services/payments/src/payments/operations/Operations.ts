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
  type CurrentIntent,
  dieUnavailable,
  PaymentIntents,
  type RefundFailed,
  type StripeFailed,
  type StripeRefused
} from "../../stripe/index.ts"
import { Payments } from "../Payments.ts"
import type { PaymentRow } from "../PaymentsRepo.ts"
import { type GatewayMoney, gatewayMoneyOf, partOf, refundOf } from "./GatewayMoney.ts"
import { type OperationKey, PendingOperations, type PreparedOperation } from "./PendingOperations.ts"
import { refundIdOf } from "./refundIdOf.ts"
import { simulatedUpdate } from "./simulatedUpdate.ts"

const unitsOf = (amount: string | null, { exponent }: Pick<GatewayMoney, "exponent">) =>
  amount === null ? 0 : toMinorUnits(amount, exponent)

type Refusal = PaymentNotFound | PaymentNotAtGateway | PaymentStatusConflict | PaymentOperationPending | GatewayRefused
type AmountRefusal = RequestInvalid | PaymentAmountTooHigh

/** A kind of operation: the statuses that allow it, its amount, and its call of the gateway. */
interface OperationKind<E> {
  readonly name: Extract<PaymentOperation, "CAPTURE" | "RELEASE" | "REFUND">
  readonly needed: ReadonlyArray<PaymentStatus>
  readonly amountOf: (money: GatewayMoney) => Effect.Effect<string | null, E>
  /** Returns the id of the operation, if a repetition must have the same one. By default it is random. */
  readonly idOf?: (paymentId: PaymentId, money: GatewayMoney, units: number) => string
  readonly call: (
    operation: OperationKey & { readonly intentId: string },
    units: number
  ) => Effect.Effect<CurrentIntent, StripeRefused | StripeFailed | RefundFailed>
}

/**
 * The operators' operations on payments at the gateway. An operation is stored before the gateway is called, one at a time for a payment.
 * One of unknown outcome dies as `PeerUnavailable` (503), and is settled by a job.
 */
export class Operations extends Context.Service<
  Operations,
  {
    /** Captures the authorized amount of a payment, or a part of it; the rest is released. */
    readonly capture: (id: PaymentId, part: PartOfPayment) => Effect.Effect<void, Refusal | AmountRefusal>
    /** Cancels the authorization of a payment. */
    readonly release: (id: PaymentId) => Effect.Effect<void, Refusal>
    /** Refunds all that is left of the captured amount, or a part. Fails when the request names another total of earlier refunds. */
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

      const moneyOf = Effect.fnUntraced(function* (payment: PaymentRow) {
        const { intentId } = payment
        const intent = intentId === null ? Option.none() : yield* payments.findIntent(intentId)
        if (intentId === null || Option.isNone(intent)) return yield* new PaymentNotAtGateway()
        return { intentId, isSimulated: intent.value.state.isSimulated, ...gatewayMoneyOf(payment, intent.value) }
      })

      const perform = Effect.fnUntraced(function* <E>(
        paymentId: PaymentId,
        { amountOf, call, idOf = () => randomUUID(), name, needed }: OperationKind<E>
      ): Effect.fn.Return<void, Refusal | E> {
        const organizationId = yield* payments.ownerOf(paymentId)
        const operation = yield* pending.begin(
          { organizationId, paymentId },
          name,
          Effect.fnUntraced(function* (before): Effect.fn.Return<PreparedOperation, Refusal | E> {
            const { isPrepared, status } = before
            if (isPrepared) return yield* new PaymentNotFound({ paymentId })
            const money = yield* moneyOf(before)
            if (!needed.includes(status)) return yield* new PaymentStatusConflict({ status, needed })
            const operationAmount = yield* amountOf(money)
            const operationId = idOf(paymentId, money, unitsOf(operationAmount, money))
            return { payment: { ...before, operationAmount }, operationId }
          })
        )
        const { intentId, isSimulated, ...money } = yield* moneyOf(operation.payment)
        const { operationId } = operation
        const key = { organizationId, paymentId, operationId }
        const onRefusal = Effect.fnUntraced(function* ({ code }: StripeRefused) {
          // The state of the intent was out of date here.
          const { update } = yield* Effect.orDie(intents.find(organizationId, intentId))
          yield* pending.settle(key, update)
          return yield* new GatewayRefused({ code })
        })
        // Nothing happened, so the operation ends.
        const onFailure = (failure: StripeFailed) =>
          Effect.andThen(pending.settle(key, undefined), dieUnavailable(failure))
        // The operation ends, so a repeated request makes another refund.
        const onFailedRefund = ({ update }: RefundFailed) =>
          Effect.andThen(pending.settle(key, update), Effect.die(new PeerUnavailable({ peer: "Stripe" })))
        const units = unitsOf(operation.payment.operationAmount, money)
        if (isSimulated)
          return yield* Effect.asVoid(pending.settle(key, simulatedUpdate(name, { ...key, intentId }, units)))
        const { update } = yield* Effect.catchTags(call({ ...key, intentId }, units), {
          StripeRefused: onRefusal,
          StripeFailed: onFailure,
          RefundFailed: onFailedRefund
        })
        yield* pending.settle(key, update)
      })

      return Operations.of({
        capture: Effect.fn("Operations.capture")((id, part) =>
          perform(id, {
            name: "CAPTURE",
            needed: ["AUTHORIZED"],
            amountOf: (money) => partOf(money, money.authorized, part),
            call: intents.capture
          })
        ),

        release: Effect.fn("Operations.release")((id) =>
          perform(id, {
            name: "RELEASE",
            needed: ["AUTHORIZED"],
            amountOf: () => Effect.succeed(null),
            call: intents.cancel
          })
        ),

        refund: Effect.fn("Operations.refund")((id, refund) =>
          perform(id, {
            name: "REFUND",
            needed: ["PAID", "REFUND"],
            amountOf: (money) => refundOf(money, refund),
            idOf: refundIdOf,
            call: intents.refund
          })
        )
      })
    })
  ).pipe(Layer.provide([PendingOperations.layer, Payments.layer]))
}
