import { broken, idempotencyConflictAs, keyRefused } from "../http/commonErrors.ts"
import { codedInvalidRequest, invalidRequest } from "../http/errorForms.ts"
import { PathInvalid, RequestInvalid } from "../http/RequestErrors.ts"
import { WebhookEndpointNotFound } from "./WebhookEndpoint.ts"

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

/** An endpoint that does not exist, or is another organization's. Before `webhookErrors` in a list. */
export const endpointNotFound = [
  invalidRequest(PathInvalid, 404, unknown),
  invalidRequest(WebhookEndpointNotFound, 404, unknown)
] as const
