import { Schema } from "effect"
import { type Call, customerNamed, nowOf, putWithEvent } from "./Call.ts"
import { confirmSetup } from "./confirmSetup.ts"
import { setupIntentConstants } from "./constantFields.ts"
import { newId, newSecret } from "./ids.ts"
import { isOpen } from "./intents.ts"
import { listRoute } from "./listPage.ts"
import { MethodData, methodOf } from "./MethodData.ts"
import { allowedParams, allowedTypesOf, methodTypeParams, typesOf } from "./methodTypesOf.ts"
import type { SetupIntent } from "./objects.ts"
import {
  clearable,
  createdFilter,
  definedFields,
  flag,
  metadata,
  metadataAfter,
  optional,
  page,
  text
} from "./params.ts"
import { type Refusal, unexpectedStatus } from "./Refusal.ts"
import { route } from "./route.ts"

const method = { payment_method: optional(text), payment_method_data: optional(MethodData) }
const options = optional(Schema.Struct({ card: optional(Schema.Unknown), klarna: optional(Schema.Unknown) }))

const changes = {
  ...method,
  customer: optional(clearable),
  description: optional(clearable),
  metadata: optional(metadata),
  ...allowedParams,
  payment_method_options: options
}
const SetupChanges = Schema.Struct(changes)

const NewSetup = Schema.Struct({
  ...changes,
  ...methodTypeParams,
  confirm: optional(flag),
  mandate_data: optional(Schema.Unknown),
  return_url: optional(text),
  usage: optional(Schema.Literals(["off_session", "on_session"])),
  use_stripe_sdk: optional(flag)
})

const SetupConfirmation = Schema.Struct({
  ...method,
  client_secret: optional(text),
  mandate_data: optional(Schema.Unknown),
  payment_method_options: options,
  return_url: optional(text),
  use_stripe_sdk: optional(flag)
})

const SetupCancellation = Schema.Struct({
  cancellation_reason: optional(Schema.Literals(["abandoned", "duplicate", "requested_by_customer"]))
})

const ListedSetups = Schema.Struct({
  ...page,
  created: optional(createdFilter),
  customer: optional(text),
  payment_method: optional(text)
})

// The types that can be saved for later payments.
const savedTypes = ["card", "klarna"] as const

const create = (call: Call, params: typeof NewSetup.Type): SetupIntent | Refusal => {
  const customer = customerNamed(call, params.customer)
  const method = methodOf(call, params)
  const allowed = allowedTypesOf(params)
  const id = newId("seti")
  const intent = putWithEvent(call, "setup_intent", "setup_intent.created", {
    ...setupIntentConstants,
    ...allowed,
    id,
    cancellation_reason: null,
    client_secret: newSecret(id),
    created: nowOf(call, customer),
    customer,
    description: params.description ?? null,
    last_setup_error: null,
    latest_attempt: null,
    metadata: metadataAfter({}, params.metadata),
    next_action: null,
    payment_method: method?.id ?? null,
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: "automatic" } },
    payment_method_types: typesOf(allowed, savedTypes),
    status: method === undefined ? "requires_payment_method" : "requires_confirmation",
    usage: params.usage ?? "off_session"
  })
  return params.confirm === true ? confirmSetup(call, intent, method, params.return_url) : intent
}

const update = (call: Call, params: typeof SetupChanges.Type, id: string): SetupIntent => {
  const before = call.ledger.at("setup_intent", id)
  if (!isOpen(before)) throw unexpectedStatus(before, "updated")
  const method = methodOf(call, params)
  const allowed = allowedTypesOf(params, before)
  return call.ledger.put("setup_intent", id, {
    ...before,
    ...allowed,
    ...definedFields({ description: params.description }),
    ...(params.customer !== undefined && { customer: customerNamed(call, params.customer) }),
    ...(method && { payment_method: method.id, status: "requires_confirmation" }),
    payment_method_types: typesOf(allowed, savedTypes),
    metadata: metadataAfter(before.metadata, params.metadata)
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

const Shown = Schema.Struct({ client_secret: optional(text) })

/** The routes of setup intents, which save a payment method for later payments. */
export const setupIntentRoutes = [
  route("POST", "/v1/setup_intents", NewSetup, create),
  listRoute("setup_intent", "/v1/setup_intents", ListedSetups),
  route("GET", "/v1/setup_intents/:id", Shown, (call, _, id) => call.ledger.at("setup_intent", id)),
  route("POST", "/v1/setup_intents/:id", SetupChanges, update),
  route("POST", "/v1/setup_intents/:id/confirm", SetupConfirmation, (call, params, id) =>
    confirmSetup(call, call.ledger.at("setup_intent", id), methodOf(call, params), params.return_url)
  ),
  route("POST", "/v1/setup_intents/:id/cancel", SetupCancellation, cancel)
]
