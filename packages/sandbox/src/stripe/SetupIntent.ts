import { type Call, emit } from "./Call.ts"
import { newId } from "./ids.ts"
import type { Chosen } from "./methodTypesOf.ts"
import { type NextAction, nextActionOf } from "./NextAction.ts"
import { link, type MethodType, type PaymentMethod, testCardOf } from "./PaymentMethod.ts"
import { invalid, type Reason, Refusal, unknownObject } from "./Refusal.ts"

/** What is the same for all setup intents here. */
export const fixedOfSetups = {
  object: "setup_intent",
  application: null,
  customer_account: null,
  excluded_payment_method_types: null,
  flow_directions: null,
  livemode: false,
  mandate: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  single_use_mandate: null
} as const

type Fixed = typeof fixedOfSetups

export interface SetupIntent extends Fixed, Chosen {
  readonly id: string
  readonly cancellation_reason: "abandoned" | "duplicate" | "requested_by_customer" | null
  readonly client_secret: string
  readonly created: number
  readonly customer: string | null
  readonly description: string | null
  readonly last_setup_error: Reason | null
  readonly latest_attempt: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly next_action: NextAction | null
  readonly payment_method: string | null
  readonly payment_method_options: object
  readonly payment_method_types: ReadonlyArray<MethodType>
  readonly status: "requires_payment_method" | "requires_confirmation" | "requires_action" | "canceled" | "succeeded"
  readonly usage: "off_session" | "on_session"
}

/** The setup intent of a path. */
export const setupAt = ({ books }: Call, id: string): SetupIntent => {
  const intent = books.get("setup_intent", id)
  if (intent === undefined) throw unknownObject("setup_intent", id)
  return intent
}

/** Stores an intent as it now is. */
export const putSetup = ({ books }: Call, intent: SetupIntent): SetupIntent =>
  books.put("setup_intent", intent.id, intent)

/** That an intent is past what is asked for. */
export const unexpectedSetup = (intent: SetupIntent, what: string): Refusal =>
  invalid(`This SetupIntent cannot be ${what} because it has a status of ${intent.status}.`, {
    code: "setup_intent_unexpected_state",
    setup_intent: intent
  })

/** The setup failed: that is kept, and said. */
export const failSetup = (call: Call, intent: SetupIntent, method: PaymentMethod, reason: Reason): Refusal => {
  const said = { ...reason, payment_method: method }
  const failed = putSetup(call, {
    ...intent,
    last_setup_error: said,
    latest_attempt: newId("setatt"),
    next_action: null,
    payment_method: null,
    status: "requires_payment_method"
  })
  emit(call, "setup_intent.setup_failed", failed)
  return new Refusal(reason.type === "card_error" ? 402 : 400, { ...said, setup_intent: failed })
}

/** Saves a method whose holder agreed, or does not have to. */
export const completeSetup = (call: Call, intent: SetupIntent, method: PaymentMethod): SetupIntent | Refusal => {
  const card = testCardOf(method)
  if (card?.decline !== undefined && card.declinesLate !== true) {
    return failSetup(call, intent, method, { type: "card_error", ...card.decline })
  }
  if (intent.customer !== null) link(call, method, intent.customer)
  const after = putSetup(call, {
    ...intent,
    last_setup_error: null,
    latest_attempt: newId("setatt"),
    next_action: null,
    payment_method: method.id,
    status: "succeeded"
  })
  emit(call, "setup_intent.succeeded", after)
  return after
}

/** Tries to save a method. */
export const attemptSetup = (call: Call, intent: SetupIntent, method: PaymentMethod, returnUrl: string | null) => {
  const authentication = testCardOf(method)?.authentication
  if (method.type === "card" && (authentication === undefined || authentication === "on session")) {
    return completeSetup(call, intent, method)
  }
  const waiting = putSetup(call, {
    ...intent,
    next_action: nextActionOf(call.url, intent.id, returnUrl),
    payment_method: method.id,
    status: "requires_action"
  })
  emit(call, "setup_intent.requires_action", waiting)
  return waiting
}
