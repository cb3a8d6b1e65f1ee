import { PeerUnavailable } from "@care/service-kit"
import { Effect } from "effect"

/** The outcome at the provider is unknown: answered as 503, so that the idempotency key stays. */
export const outcomeUnknown = Effect.die(new PeerUnavailable({ peer: "The scheduling provider" }))

/**
 * Handlers that turn refusals of a repeated request into an unknown outcome: a refusal would free the idempotency key, and
 * lose the first attempt.
 */
export const dieOutcomeUnknown = { ProviderBusy: () => outcomeUnknown, ProviderNotConfigured: () => outcomeUnknown }
