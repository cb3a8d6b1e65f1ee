import { PeerUnavailable } from "@care/service-kit"
import { Effect } from "effect"

/** Nobody knows whether the provider did what it was asked for: answered as 503, so that the idempotency key stays. */
export const outcomeUnknown = Effect.die(new PeerUnavailable({ peer: "The scheduling provider" }))

/** For what was asked for before: a refusal would let the idempotency key go, and with it what is known of it. */
export const unsettled = { ProviderBusy: () => outcomeUnknown, ProviderNotConfigured: () => outcomeUnknown }
