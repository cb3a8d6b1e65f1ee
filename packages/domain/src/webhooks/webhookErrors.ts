import { broken, idempotencyConflictAs, keyRefused } from "../http/commonErrors.ts"
import { codedInvalidRequest, invalidRequest } from "../http/errorForms.ts"
import { PathInvalid, RequestInvalid } from "../http/RequestErrors.ts"
import { WebhookEndpointDisabled, WebhookEndpointNotFound } from "./WebhookEndpoint.ts"

/** The errors of all webhook operations: a refused key, an invalid request, a broken service. */
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

/** 409 of the operations with an idempotency key. */
export const webhookKeyConflict = idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR"))

const unknown = "There is no such webhook endpoint"

/** 400 of requests that would queue events for a disabled endpoint. */
export const endpointDisabled = invalidRequest(
  WebhookEndpointDisabled,
  400,
  "The webhook endpoint is disabled: enable it first"
)

/** 404 of an unknown endpoint, or another organization's. It must precede `webhookErrors` in a list. */
export const endpointNotFound = [
  invalidRequest(PathInvalid, 404, unknown),
  invalidRequest(WebhookEndpointNotFound, 404, unknown)
] as const
