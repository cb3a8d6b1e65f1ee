import { Schema } from "effect"
import { type Call, emit, nowOf } from "./Call.ts"
import { customerNamed } from "./Customer.ts"
import { confirmSetup } from "./confirmSetup.ts"
import { newId, newSecret } from "./ids.ts"
import { methodOf } from "./MethodData.ts"
import { chosenOf, typesOf } from "./methodTypesOf.ts"
import { pageOf } from "./pageOf.ts"
import { given, metadataAfter, text } from "./params.ts"
import type { Refusal } from "./Refusal.ts"
import { route } from "./route.ts"
import { fixedOfSetups, putSetup, type SetupIntent, setupAt, unexpectedSetup } from "./SetupIntent.ts"
import { ListedSetups, NewSetup, SetupCancellation, SetupChanges, SetupConfirmation } from "./setupParams.ts"

// What can be saved for later payments.
const savedTypes = ["card", "klarna"] as const

const create = (call: Call, asked: typeof NewSetup.Type): SetupIntent | Refusal => {
  const customer = customerNamed(call, asked.customer)
  const method = methodOf(call, asked)
  const chosen = chosenOf(asked)
  const id = newId("seti")
  const intent: SetupIntent = {
    ...fixedOfSetups,
    ...chosen,
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
    payment_method_types: typesOf(chosen, savedTypes),
    status: method === undefined ? "requires_payment_method" : "requires_confirmation",
    usage: asked.usage ?? "off_session"
  }
  putSetup(call, intent)
  emit(call, "setup_intent.created", intent)
  return asked.confirm === true ? confirmSetup(call, intent, method, asked.return_url) : intent
}

const update = (call: Call, asked: typeof SetupChanges.Type, id: string): SetupIntent => {
  const before = setupAt(call, id)
  if (before.status === "succeeded" || before.status === "canceled") throw unexpectedSetup(before, "updated")
  const method = methodOf(call, asked)
  const chosen = chosenOf(asked, before)
  return putSetup(call, {
    ...before,
    ...chosen,
    ...given({ description: asked.description }),
    ...(asked.customer !== undefined && { customer: customerNamed(call, asked.customer) }),
    ...(method && { payment_method: method.id, status: "requires_confirmation" }),
    payment_method_types: typesOf(chosen, savedTypes),
    metadata: metadataAfter(before.metadata, asked.metadata)
  })
}

const cancel = (call: Call, { cancellation_reason }: typeof SetupCancellation.Type, id: string): SetupIntent => {
  const before = setupAt(call, id)
  if (before.status === "succeeded" || before.status === "canceled") throw unexpectedSetup(before, "canceled")
  const after = putSetup(call, {
    ...before,
    cancellation_reason: cancellation_reason ?? null,
    next_action: null,
    status: "canceled"
  })
  emit(call, "setup_intent.canceled", after)
  return after
}

const listed = ({ books }: Call, asked: typeof ListedSetups.Type) =>
  pageOf("/v1/setup_intents", books.all("setup_intent"), asked)

const Shown = Schema.Struct({ client_secret: Schema.optionalKey(text) })

/** Setup intents: a method is saved for later payments. */
export const setupIntentRoutes = [
  route("POST", "/v1/setup_intents", NewSetup, create),
  route("GET", "/v1/setup_intents", ListedSetups, listed),
  route("GET", "/v1/setup_intents/:id", Shown, (call, _, id) => setupAt(call, id)),
  route("POST", "/v1/setup_intents/:id", SetupChanges, update),
  route("POST", "/v1/setup_intents/:id/confirm", SetupConfirmation, (call, asked, id) =>
    confirmSetup(call, setupAt(call, id), methodOf(call, asked), asked.return_url)
  ),
  route("POST", "/v1/setup_intents/:id/cancel", SetupCancellation, cancel)
]
