import { Schema } from "effect"
import { MethodData } from "./MethodData.ts"
import { allowedParams, methodTypeParams } from "./methodTypesOf.ts"
import { methodTypes } from "./objects.ts"
import { clearable, email, flag, integer, metadata, optional, shipping, text } from "./params.ts"

const changes = {
  ...allowedParams,
  payment_method: optional(text),
  payment_method_data: optional(MethodData),
  payment_method_options: optional(
    Schema.Struct(Object.fromEntries(methodTypes.map((type) => [type, optional(Schema.Unknown)])))
  ),
  capture_method: optional(Schema.Literals(["automatic", "automatic_async", "manual"])),
  receipt_email: optional(email),
  setup_future_usage: optional(Schema.Literals(["", "off_session", "on_session"])),
  shipping: optional(Schema.Union([Schema.Literal(""), shipping]))
}

const descriptions = {
  customer: optional(clearable),
  description: optional(clearable),
  metadata: optional(metadata),
  statement_descriptor: optional(clearable),
  statement_descriptor_suffix: optional(clearable)
}

const confirmation = {
  error_on_requires_action: optional(flag),
  mandate_data: optional(Schema.Unknown),
  off_session: optional(flag),
  return_url: optional(text),
  use_stripe_sdk: optional(flag)
}

export const PaymentParams = Schema.Struct({
  ...changes,
  ...descriptions,
  ...confirmation,
  ...methodTypeParams,
  amount: integer,
  currency: text,
  confirm: optional(flag),
  confirmation_method: optional(Schema.Literal("automatic"))
})

export const PaymentChangeParams = Schema.Struct({
  ...changes,
  ...descriptions,
  amount: optional(integer),
  currency: optional(text)
})
export type PaymentChangeParams = typeof PaymentChangeParams.Type

export const ConfirmationParams = Schema.Struct({ ...changes, ...confirmation, client_secret: optional(text) })

export const CaptureParams = Schema.Struct({
  amount_to_capture: optional(integer),
  final_capture: optional(Schema.Literal("true")),
  metadata: optional(metadata)
})

export const CancellationParams = Schema.Struct({
  cancellation_reason: optional(Schema.Literals(["abandoned", "duplicate", "fraudulent", "requested_by_customer"]))
})
