import { broken, idempotencyConflictAs, keyRefused } from "../http/commonErrors.ts"
import { codedInvalidRequest, invalidRequest } from "../http/errorForms.ts"
import { PathInvalid, RequestInvalid } from "../http/RequestErrors.ts"
import { WebhookEndpointDisabled, WebhookEndpointNotFound } from "./WebhookEndpoint.ts"

/** What every operation on webhooks may answer: a refused key, what does not decode, what is broken. */
export const webhookErrors = [
  ...keyRefused,
  invalidRequest(
    RequestInvalid,
    400,
    ({ text }) => text,
    "Fields or parameters are missing or malformed: `<path>, <reason>; <path>, <reason>`"
  ),
  ...broken
] as const

/** 409 of the operations that take an idempotency key. */
export const webhookKeyConflict = idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR"))

const unknown = "There is no such webhook endpoint"

/** 400 of what would have something sent to a disabled endpoint, where it would wait unseen. */
export const endpointDisabled = invalidRequest(
  WebhookEndpointDisabled,
  400,
  "The webhook endpoint is disabled: enable it first"
)

/** An endpoint that does not exist, or is another organization's. Before `webhookErrors` in a list. */
export const endpointNotFound = [
  invalidRequest(PathInvalid, 404, unknown),
  invalidRequest(WebhookEndpointNotFound, 404, unknown)
] as const
