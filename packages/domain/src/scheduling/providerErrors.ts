import { rateLimitedBy } from "../http/commonErrors.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { EventTypeUnknown, ProviderBusy, ProviderNotConfigured } from "./errors.ts"

/** The errors of every endpoint that calls the scheduling provider. */
export const providerErrors = [
  rateLimitedBy(
    ProviderBusy,
    "The scheduling provider takes no more requests at the moment. Try again later.",
    "The rate limit of the scheduling provider is exceeded. All organizations share it"
  ),
  invalidRequest(
    ProviderNotConfigured,
    503,
    "No scheduling provider is configured",
    "No scheduling provider is configured (the operator sets SCHEDULING_API_URL)"
  )
] as const

export const eventTypeUnknown = invalidRequest(
  EventTypeUnknown,
  400,
  "Unknown event type",
  "The scheduling provider has no such event type, or it is inactive"
)
