import { rateLimitedBy } from "../http/commonErrors.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { EventTypeUnknown, ProviderBusy, ProviderNotConfigured } from "./errors.ts"

/** The errors of every endpoint that calls the scheduling provider. */
export const providerErrors = [
  rateLimitedBy(
    ProviderBusy,
    "The scheduling provider takes no more requests at the moment. Try again later.",
    "The scheduling provider is asked too often, by all organizations together"
  ),
  invalidRequest(
    ProviderNotConfigured,
    503,
    "No scheduling provider is configured",
    "This installation has no scheduling provider (SCHEDULING_API_URL): its operator sets one"
  )
] as const

export const eventTypeUnknown = invalidRequest(
  EventTypeUnknown,
  400,
  "Unknown event type",
  "The scheduling provider has no such event type, or it is not active"
)
