import type { Call } from "./Call.ts"
import type { Chosen } from "./methodTypesOf.ts"
import type { NextAction } from "./NextAction.ts"
import type { MethodType } from "./PaymentMethod.ts"
import { invalid, type Reason, type Refusal, unknownObject } from "./Refusal.ts"

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
