import { PeerUnavailable } from "@care/service-kit"
import { Effect } from "effect"

/** The outcome at the provider is unknown: answered as 503, so that the idempotency key stays. */
export const outcomeUnknown = Effect.die(new PeerUnavailable({ peer: "The scheduling provider" }))

/**
 * Handlers for repeated requests: a refusal would free the idempotency key, and lose what is known of the first
 * attempt.
 */
export const unsettled = { ProviderBusy: () => outcomeUnknown, ProviderNotConfigured: () => outcomeUnknown }
