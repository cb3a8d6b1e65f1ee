import { Schema } from "effect"
import { type Call, customerNamed, nowOf, putWithEvent } from "./Call.ts"
import { confirmSetup } from "./confirmSetup.ts"
import { setupIntentConstants } from "./constantFields.ts"
import { newId, newSecret } from "./ids.ts"
import { isOpen } from "./intents.ts"
import { methodOf } from "./MethodData.ts"
import { allowedTypesOf, typesOf } from "./methodTypesOf.ts"
import type { SetupIntent } from "./objects.ts"
import { given, metadataAfter, text } from "./params.ts"
import { type Refusal, unexpectedStatus } from "./Refusal.ts"
import { listRoute } from "./readRoutes.ts"
import { route } from "./route.ts"
import { ListedSetups, NewSetup, SetupCancellation, SetupChanges, SetupConfirmation } from "./setupParams.ts"

// The types that can be saved for later payments.
const savedTypes = ["card", "klarna"] as const

const create = (call: Call, asked: typeof NewSetup.Type): SetupIntent | Refusal => {
  const customer = customerNamed(call, asked.customer)
  const method = methodOf(call, asked)
  const allowed = allowedTypesOf(asked)
  const id = newId("seti")
  const intent = putWithEvent(call, "setup_intent", "setup_intent.created", {
    ...setupIntentConstants,
    ...allowed,
    id,
    cancellation_reason: null,
    client_secret: newSecret(id),
    created: nowOf(call, customer),
    customer,
    description: asked.description ?? null,
    last_setup_error: null,
    latest_attempt: null,
    metadata: metadataAfter({}, asked.metadata),
    next_action: null,
    payment_method: method?.id ?? null,
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: "automatic" } },
    payment_method_types: typesOf(allowed, savedTypes),
    status: method === undefined ? "requires_payment_method" : "requires_confirmation",
    usage: asked.usage ?? "off_session"
  })
  return asked.confirm === true ? confirmSetup(call, intent, method, asked.return_url) : intent
}

const update = (call: Call, asked: typeof SetupChanges.Type, id: string): SetupIntent => {
  const before = call.ledger.at("setup_intent", id)
  if (!isOpen(before)) throw unexpectedStatus(before, "updated")
  const method = methodOf(call, asked)
  const allowed = allowedTypesOf(asked, before)
  return call.ledger.put("setup_intent", id, {
    ...before,
    ...allowed,
    ...given({ description: asked.description }),
    ...(asked.customer !== undefined && { customer: customerNamed(call, asked.customer) }),
    ...(method && { payment_method: method.id, status: "requires_confirmation" }),
    payment_method_types: typesOf(allowed, savedTypes),
    metadata: metadataAfter(before.metadata, asked.metadata)
  })
}

const cancel = (call: Call, { cancellation_reason }: typeof SetupCancellation.Type, id: string): SetupIntent => {
  const before = call.ledger.at("setup_intent", id)
  if (!isOpen(before)) throw unexpectedStatus(before, "canceled")
  return putWithEvent(call, "setup_intent", "setup_intent.canceled", {
    ...before,
    cancellation_reason: cancellation_reason ?? null,
    next_action: null,
    status: "canceled"
  })
}

const Shown = Schema.Struct({ client_secret: Schema.optionalKey(text) })

/** The routes of setup intents, which save a payment method for later payments. */
export const setupIntentRoutes = [
  route("POST", "/v1/setup_intents", NewSetup, create),
  listRoute("setup_intent", "/v1/setup_intents", ListedSetups),
  route("GET", "/v1/setup_intents/:id", Shown, (call, _, id) => call.ledger.at("setup_intent", id)),
  route("POST", "/v1/setup_intents/:id", SetupChanges, update),
  route("POST", "/v1/setup_intents/:id/confirm", SetupConfirmation, (call, asked, id) =>
    confirmSetup(call, call.ledger.at("setup_intent", id), methodOf(call, asked), asked.return_url)
  ),
  route("POST", "/v1/setup_intents/:id/cancel", SetupCancellation, cancel)
]
