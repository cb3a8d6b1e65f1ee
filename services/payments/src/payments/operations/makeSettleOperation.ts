import { randomUUID } from "node:crypto"
import { Data, Effect, Option } from "effect"
import { type CurrentIntent, PaymentIntents } from "../../stripe/index.ts"
import { Payments } from "../Payments.ts"
import type { PaymentRow } from "../PaymentsRepo.ts"
import { type OperationKey, PendingOperations } from "./PendingOperations.ts"

/** The gateway is still processing the intent. */
class StillProcessing extends Data.TaggedError("StillProcessing") {
  override get message() {
    return "The gateway is still at it"
  }
}

/** Returns the payment after a failed authorization. The partner may repeat the request. */
export const erroredPayment = (payment: PaymentRow): PaymentRow => ({ ...payment, status: "ERROR" })

// Later events of the intent do not concern the payment any more.
const abandoned = (payment: PaymentRow): PaymentRow => ({ ...erroredPayment(payment), intentId: null })

/**
 * Makes the function that settles an operation by the state of its intent at the gateway. An authorization that was never confirmed is
 * canceled there, so that no late confirmation authorizes it beside a repeated request; an intent that cannot be canceled stays the
 * payment's. Each step compares the operation's id, so that an operation is settled once.
 */
export const makeSettleOperation = Effect.gen(function* () {
  const intents = yield* PaymentIntents
  const payments = yield* Payments
  const pending = yield* PendingOperations

  const settleAuthorization = Effect.fnUntraced(function* (key: OperationKey, { update, status }: CurrentIntent) {
    switch (status) {
      case "processing":
        return yield* new StillProcessing()
      case "requires_confirmation":
        return yield* pending.abandon(key, randomUUID())
      case "requires_action":
      case "requires_payment_method":
        return yield* pending.settle(key, update, erroredPayment)
      default:
        return yield* pending.settle(key, update)
    }
  })

  // A parallel attempt may have stored its intent meanwhile, and authorized it.
  const settleWithoutIntent = Effect.fnUntraced(function* (key: OperationKey) {
    const settled = yield* pending.settle(key, undefined, (before) =>
      before.intentId === null ? erroredPayment(before) : undefined
    )
    if (settled.operationId === key.operationId) return yield* new StillProcessing()
  })

  const cancelIntent = Effect.fnUntraced(function* (key: OperationKey, intentId: string) {
    const intent = yield* Effect.catchTag(intents.cancel({ ...key, intentId }), "StripeRefused", (refusal) =>
      // For an intent that is still unconfirmed the job fails, and is retried later: another ABANDON operation would loop.
      Effect.filterOrFail(
        intents.find(key.organizationId, intentId),
        ({ status }) => status !== "requires_confirmation",
        () => refusal
      )
    )
    const { status, update } = intent
    return yield* status === "canceled" ? pending.settle(key, update, abandoned) : settleAuthorization(key, intent)
  })

  return Effect.fnUntraced(function* (key: OperationKey) {
    const { operationId, organizationId, paymentId } = key
    const found = yield* payments.find(organizationId, paymentId)
    if (Option.isNone(found) || found.value.operationId !== operationId) return
    const { intentId, operation } = found.value
    if (intentId === null) return yield* settleWithoutIntent(key)
    if (operation === "ABANDON") return yield* cancelIntent(key, intentId)
    const intent = yield* intents.find(organizationId, intentId)
    return yield* operation === "AUTHORIZE" ? settleAuthorization(key, intent) : pending.settle(key, intent.update)
  })
})
