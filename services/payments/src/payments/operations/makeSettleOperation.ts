import { randomUUID } from "node:crypto"
import { Data, Effect, Option } from "effect"
import { type IntentNow, PaymentIntents } from "../../stripe/index.ts"
import { Payments } from "../Payments.ts"
import type { PaymentRow } from "../PaymentsRepo.ts"
import { type OperationKey, PendingOperations } from "./PendingOperations.ts"

/** The gateway itself does not know yet. */
class StillProcessing extends Data.TaggedError("StillProcessing") {
  override get message() {
    return "The gateway is still at it"
  }
}

/** The payment when nothing is held for it: the partner may ask for it again. */
export const failed = (payment: PaymentRow): PaymentRow => ({ ...payment, status: "ERROR" })

// Whatever is told of the intent later is not told of the payment any more.
const calledOff = (payment: PaymentRow): PaymentRow => ({ ...failed(payment), intentId: null })

/**
 * Makes the function that settles an operation by the truth of the gateway. An authorization that was never confirmed is
 * called off at the gateway, so that no late confirmation holds anything after the partner asked for it again; what the
 * gateway does not let go stays the payment's. Whoever settled the operation before wins: each step compares the operation's id.
 */
export const makeSettleOperation = Effect.gen(function* () {
  const intents = yield* PaymentIntents
  const payments = yield* Payments
  const pending = yield* PendingOperations

  const authorization = Effect.fnUntraced(function* (key: OperationKey, { update, status }: IntentNow) {
    switch (status) {
      case "processing":
        return yield* new StillProcessing()
      case "requires_confirmation":
        return yield* pending.abandon(key, randomUUID())
      case "requires_action":
      case "requires_payment_method":
        return yield* pending.settle(key, update, failed)
      default:
        return yield* pending.settle(key, update)
    }
  })

  // A try that goes on may have stored its intent meanwhile, which may be held by now.
  const unopened = Effect.fnUntraced(function* (key: OperationKey) {
    const settled = yield* pending.settle(key, undefined, (before) =>
      before.intentId === null ? failed(before) : undefined
    )
    if (settled.operationId === key.operationId) return yield* new StillProcessing()
  })

  const callOff = Effect.fnUntraced(function* (key: OperationKey, intentId: string) {
    const now = yield* Effect.catchTag(intents.cancel({ ...key, intentId }), "StripeRefused", (refusal) =>
      // Nothing is seen that speaks against it: to call it off anew would be refused at once, again and again.
      Effect.filterOrFail(
        intents.find(key.organizationId, intentId),
        ({ status }) => status !== "requires_confirmation",
        () => refusal
      )
    )
    return yield* now.status === "canceled" ? pending.settle(key, now.update, calledOff) : authorization(key, now)
  })

  return Effect.fnUntraced(function* (key: OperationKey) {
    const { operationId, organizationId, paymentId } = key
    const found = yield* payments.find(organizationId, paymentId)
    if (Option.isNone(found) || found.value.operationId !== operationId) return
    const { intentId, operation } = found.value
    if (intentId === null) return yield* unopened(key)
    if (operation === "ABANDON") return yield* callOff(key, intentId)
    const now = yield* intents.find(organizationId, intentId)
    return operation === "AUTHORIZE" ? yield* authorization(key, now) : yield* pending.settle(key, now.update)
  })
})
