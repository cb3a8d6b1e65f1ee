import { attempt } from "./attempt.ts"
import type { Call } from "./Call.ts"
import { checkReturnUrl } from "./methodTypesOf.ts"
import { type PaymentIntent, putPayment, unexpectedPayment } from "./PaymentIntent.ts"
import { methodNamed, type PaymentMethod } from "./PaymentMethod.ts"
import type { MethodData } from "./paymentMethods.ts"
import { makeMethod } from "./paymentMethods.ts"
import { invalid, type Refusal } from "./Refusal.ts"

/** How a payment is named in a request. */
export interface MethodGiven {
  readonly payment_method?: string
  readonly payment_method_data?: typeof MethodData.Type
}

/** What a confirmation says. */
export interface Confirmation extends MethodGiven {
  readonly error_on_requires_action?: boolean
  readonly off_session?: boolean
  readonly return_url?: string
}

/** The method that a request names, or makes. */
export const methodOf = (
  call: Call,
  { payment_method, payment_method_data }: MethodGiven
): PaymentMethod | undefined => {
  if (payment_method_data !== undefined) return makeMethod(call, payment_method_data)
  return payment_method === undefined ? undefined : methodNamed(call, payment_method)
}

const open: ReadonlyArray<PaymentIntent["status"]> = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action"
]

/** Whether an intent may still be changed and confirmed. */
export const isOpen = ({ status }: PaymentIntent): boolean => open.includes(status)

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

/** Confirms a payment intent, as the holder of its secret can. */
export const confirmPayment = (call: Call, intent: PaymentIntent, asked: Confirmation): PaymentIntent | Refusal => {
  if (!isOpen(intent)) throw unexpectedPayment(intent, "confirmed")
  const method =
    methodOf(call, asked) ?? (intent.payment_method === null ? undefined : methodNamed(call, intent.payment_method))
  if (method === undefined) {
    throw invalid("This PaymentIntent has no payment method yet: give one.", {
      code: "payment_intent_unexpected_state",
      payment_intent: intent
    })
  }
  const isOffSession = asked.off_session === true
  checkMethod(intent, method, isOffSession)
  checkReturnUrl(intent, method.type, asked.return_url)
  return attempt(call, putPayment(call, { ...intent, payment_method: method.id, next_action: null }), method, {
    isOffSession,
    returnUrl: asked.return_url ?? null,
    failsOnAction: asked.error_on_requires_action === true
  })
}
