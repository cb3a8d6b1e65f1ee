import { checkUsable } from "./attachMethod.ts"
import { attemptSetup } from "./attemptSetup.ts"
import type { Call } from "./Call.ts"
import { isOpen } from "./intents.ts"
import { checkReturnUrl } from "./methodTypesOf.ts"
import type { PaymentMethod, SetupIntent } from "./objects.ts"
import { methodNamed } from "./PaymentMethod.ts"
import { invalid, type Refusal, unexpectedStatus } from "./Refusal.ts"

/** Confirms a setup intent with the given payment method, or with its own. */
export const confirmSetup = (
  call: Call,
  intent: SetupIntent,
  newMethod: PaymentMethod | undefined,
  return_url: string | undefined
): SetupIntent | Refusal => {
  if (!isOpen(intent)) throw unexpectedStatus(intent, "confirmed")
  const method = newMethod ?? (intent.payment_method === null ? undefined : methodNamed(call, intent.payment_method))
  if (method === undefined) {
    throw invalid("This SetupIntent has no payment method yet: give one.", {
      code: "setup_intent_unexpected_state",
      setup_intent: intent
    })
  }
  if (!intent.payment_method_types.includes(method.type)) {
    throw invalid(`A PaymentMethod of type ${method.type} is not allowed here.`, { param: "payment_method" })
  }
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalid("The payment method belongs to another customer than the intent.", { param: "payment_method" })
  }
  checkUsable(call, method)
  checkReturnUrl(intent, method.type, return_url)
  return attemptSetup(call, intent, method, return_url ?? null)
}
