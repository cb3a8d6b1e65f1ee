import { Schema } from "effect"
import { MethodData } from "./MethodData.ts"
import { allowedParams, methodTypeParams } from "./methodTypesOf.ts"
import { methodTypes } from "./objects.ts"
import { clearable, email, flag, integer, metadata, shipping, text } from "./params.ts"

const key = Schema.optionalKey

const changes = {
  ...allowedParams,
  payment_method: key(text),
  payment_method_data: key(MethodData),
  payment_method_options: key(
    Schema.Struct(Object.fromEntries(methodTypes.map((type) => [type, key(Schema.Unknown)])))
  ),
  capture_method: key(Schema.Literals(["automatic", "automatic_async", "manual"])),
  receipt_email: key(email),
  setup_future_usage: key(Schema.Literals(["", "off_session", "on_session"])),
  shipping: key(Schema.Union([Schema.Literal(""), shipping]))
}

const descriptions = {
  customer: key(clearable),
  description: key(clearable),
  metadata: key(metadata),
  statement_descriptor: key(clearable),
  statement_descriptor_suffix: key(clearable)
}

const confirmation = {
  error_on_requires_action: key(flag),
  mandate_data: key(Schema.Unknown),
  off_session: key(flag),
  return_url: key(text),
  use_stripe_sdk: key(flag)
}

export const PaymentParams = Schema.Struct({
  ...changes,
  ...descriptions,
  ...confirmation,
  ...methodTypeParams,
  amount: integer,
  currency: text,
  confirm: key(flag),
  confirmation_method: key(Schema.Literal("automatic"))
})

export const PaymentChangeParams = Schema.Struct({
  ...changes,
  ...descriptions,
  amount: key(integer),
  currency: key(text)
})
export type PaymentChangeParams = typeof PaymentChangeParams.Type

export const ConfirmationParams = Schema.Struct({ ...changes, ...confirmation, client_secret: key(text) })

export const CaptureParams = Schema.Struct({
  amount_to_capture: key(integer),
  final_capture: key(Schema.Literal("true")),
  metadata: key(metadata)
})

export const CancellationParams = Schema.Struct({
  cancellation_reason: key(Schema.Literals(["abandoned", "duplicate", "fraudulent", "requested_by_customer"]))
})
