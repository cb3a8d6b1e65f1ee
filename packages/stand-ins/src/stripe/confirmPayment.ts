import { checkUsable } from "./attachMethod.ts"
import { attempt } from "./attempt.ts"
import type { Call } from "./Call.ts"
import { isOpen } from "./intents.ts"
import { checkReturnUrl } from "./methodTypesOf.ts"
import type { PaymentIntent, PaymentMethod } from "./objects.ts"
import { methodNamed } from "./PaymentMethod.ts"
import { invalid, type Refusal, unexpectedStatus } from "./Refusal.ts"

interface Confirmation {
  readonly error_on_requires_action?: boolean
  readonly off_session?: boolean
  readonly return_url?: string
}

const checkMethod = (intent: PaymentIntent, method: PaymentMethod, isOffSession: boolean): void => {
  if (!intent.payment_method_types.includes(method.type)) {
    throw invalid(`A PaymentMethod of type ${method.type} is not allowed for this PaymentIntent.`, {
      code: "payment_intent_incompatible_payment_method",
      param: "payment_method"
    })
  }
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalid(
      intent.customer === null
        ? "The payment method belongs to a customer: name that customer in the PaymentIntent."
        : "The payment method belongs to another customer than the PaymentIntent.",
      { param: "payment_method" }
    )
  }
  if (isOffSession && method.type !== "card") {
    throw invalid(`A PaymentMethod of type ${method.type} cannot be used off session.`, { param: "off_session" })
  }
}

/** Confirms a payment intent with the given payment method, or with its own. */
export const confirmPayment = (
  call: Call,
  intent: PaymentIntent,
  newMethod: PaymentMethod | undefined,
  { error_on_requires_action, off_session = false, return_url }: Confirmation
): PaymentIntent | Refusal => {
  if (!isOpen(intent)) throw unexpectedStatus(intent, "confirmed")
  const method = newMethod ?? (intent.payment_method === null ? undefined : methodNamed(call, intent.payment_method))
  if (method === undefined) {
    throw invalid("This PaymentIntent has no payment method yet: give one.", {
      code: "payment_intent_unexpected_state",
      payment_intent: intent
    })
  }
  checkUsable(call, method)
  checkMethod(intent, method, off_session)
  checkReturnUrl(intent, method.type, return_url)
  const confirmed: PaymentIntent = { ...intent, payment_method: method.id, next_action: null }
  return attempt(call, call.ledger.put("payment_intent", intent.id, confirmed), method, {
    failsOnAction: error_on_requires_action === true,
    isOffSession: off_session,
    returnUrl: return_url ?? null
  })
}
