import { Schema } from "effect"
import { MethodData } from "./MethodData.ts"
import { allowedParams, methodTypeParams } from "./methodTypesOf.ts"
import { clearable, created, flag, metadata, page, text } from "./params.ts"

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
export const SetupChanges = Schema.Struct(changes)

export const NewSetup = Schema.Struct({
  ...changes,
  ...methodTypeParams,
  confirm: key(flag),
  mandate_data: key(Schema.Unknown),
  return_url: key(text),
  usage: key(Schema.Literals(["off_session", "on_session"])),
  use_stripe_sdk: key(flag)
})

export const SetupConfirmation = Schema.Struct({
  ...method,
  client_secret: key(text),
  mandate_data: key(Schema.Unknown),
  payment_method_options: options,
  return_url: key(text),
  use_stripe_sdk: key(flag)
})

export const SetupCancellation = Schema.Struct({
  cancellation_reason: key(Schema.Literals(["abandoned", "duplicate", "requested_by_customer"]))
})

export const ListedSetups = Schema.Struct({
  ...page,
  created: key(created),
  customer: key(text),
  payment_method: key(text)
})
