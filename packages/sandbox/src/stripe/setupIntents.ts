import { Schema } from "effect"
import { type Call, emit, nowOf } from "./Call.ts"
import { customerNamed } from "./Customer.ts"
import { newId, newSecret } from "./ids.ts"
import { allowedParams, checkReturnUrl, chosenOf, methodTypeParams, typesOf } from "./methodTypesOf.ts"
import { methodNamed, type PaymentMethod } from "./PaymentMethod.ts"
import { isCreatedWhen, pageOf } from "./pageOf.ts"
import { clearable, created, flag, given, metadata, metadataAfter, page, text } from "./params.ts"
import { MethodData, methodOf } from "./paymentMethods.ts"
import { invalid, type Refusal } from "./Refusal.ts"
import { route } from "./route.ts"
import { attemptSetup, fixedOfSetups, putSetup, type SetupIntent, setupAt, unexpectedSetup } from "./SetupIntent.ts"

const key = Schema.optionalKey

const method = { payment_method: key(text), payment_method_data: key(MethodData) }
const options = key(Schema.Struct({ card: key(Schema.Unknown), klarna: key(Schema.Unknown) }))

const changes = {
  ...method,
  customer: key(clearable),
  description: key(clearable),
  metadata: key(metadata),
  ...allowedParams,
  payment_method_options: options
}
const Changes = Schema.Struct(changes)

const New = Schema.Struct({
  ...changes,
  ...methodTypeParams,
  confirm: key(flag),
  mandate_data: key(Schema.Unknown),
  return_url: key(text),
  usage: key(Schema.Literals(["off_session", "on_session"])),
  use_stripe_sdk: key(flag)
})

const Confirmation = Schema.Struct({
  ...method,
  client_secret: key(text),
  mandate_data: key(Schema.Unknown),
  payment_method_options: options,
  return_url: key(text),
  use_stripe_sdk: key(flag)
})

// What can be saved for later payments.
const savedTypes = ["card", "klarna"] as const

/** Confirms a setup intent, as the holder of its secret can. */
export const confirmSetup = (
  call: Call,
  intent: SetupIntent,
  given: PaymentMethod | undefined,
  return_url: string | undefined
): SetupIntent | Refusal => {
  if (intent.status === "succeeded" || intent.status === "canceled") throw unexpectedSetup(intent, "confirmed")
  const method = given ?? (intent.payment_method === null ? undefined : methodNamed(call, intent.payment_method))
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
  checkReturnUrl(intent, method.type, return_url)
  return attemptSetup(call, intent, method, return_url ?? null)
}

const create = (call: Call, asked: typeof New.Type): SetupIntent | Refusal => {
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

const update = (call: Call, asked: typeof Changes.Type, id: string): SetupIntent => {
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

const Cancellation = Schema.Struct({
  cancellation_reason: key(Schema.Literals(["abandoned", "duplicate", "requested_by_customer"]))
})

const cancel = (call: Call, { cancellation_reason }: typeof Cancellation.Type, id: string): SetupIntent => {
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

const Listed = Schema.Struct({ ...page, created: key(created), customer: key(text), payment_method: key(text) })

const listed = ({ books }: Call, { customer, payment_method, ...asked }: typeof Listed.Type) =>
  pageOf(
    "/v1/setup_intents",
    books
      .all("setup_intent")
      .filter(
        (one) =>
          isCreatedWhen(asked.created, one) &&
          (customer === undefined || one.customer === customer) &&
          (payment_method === undefined || one.payment_method === payment_method)
      ),
    asked
  )

const Shown = Schema.Struct({ client_secret: key(text) })

/** Setup intents: a method is saved for later payments. */
export const setupIntentRoutes = [
  route("POST", "/v1/setup_intents", New, create),
  route("GET", "/v1/setup_intents", Listed, listed),
  route("GET", "/v1/setup_intents/:id", Shown, (call, _, id) => setupAt(call, id)),
  route("POST", "/v1/setup_intents/:id", Changes, update),
  route("POST", "/v1/setup_intents/:id/confirm", Confirmation, (call, asked, id) =>
    confirmSetup(call, setupAt(call, id), methodOf(call, asked), asked.return_url)
  ),
  route("POST", "/v1/setup_intents/:id/cancel", Cancellation, cancel)
]
