import { Duration } from "effect"
import type { Outcome } from "./classifyResponse.ts"

/** Whether an endpoint is sent to. `failingSince` is the first failure since the last success, `updatedAt` its last change. */
export interface EndpointState {
  readonly isEnabled: boolean
  readonly failingSince: Date | null
  readonly updatedAt: Date
}

/** An attempt that began at `at`, when the endpoint's last change was at `changedAt`. */
export interface EndedAttempt {
  readonly outcome: Outcome
  readonly at: Date
  readonly changedAt: Date
}

/** The effect of telling the endpoint's owner that it was disabled, and why. */
interface NotifyDisabled {
  readonly _tag: "NotifyDisabled"
  readonly reason: "GONE" | "FAILING"
}

/** How long all attempts at an endpoint may fail before it is disabled. */
const longestFailing = Duration.days(5)

/**
 * Notes an attempt. An endpoint is disabled when it is gone, or failed for five days without a success. A failure at an
 * endpoint that was changed meanwhile is ignored: its URL may be another one now. An attempt never enables an endpoint.
 * Returns the same state when nothing changes.
 */
export const stepEndpoint = (
  state: EndpointState,
  { at, changedAt, outcome }: EndedAttempt
): { readonly state: EndpointState; readonly effects: ReadonlyArray<NotifyDisabled> } => {
  const unchanged = { state, effects: [] }
  if (outcome === "DELIVERED") {
    return state.failingSince === null ? unchanged : { state: { ...state, failingSince: null }, effects: [] }
  }
  if (!state.isEnabled || state.updatedAt.getTime() !== changedAt.getTime()) return unchanged
  const failingSince = state.failingSince ?? at
  if (outcome === "GONE" || at.getTime() - failingSince.getTime() >= Duration.toMillis(longestFailing)) {
    const reason = outcome === "GONE" ? "GONE" : "FAILING"
    return { state: { isEnabled: false, failingSince, updatedAt: at }, effects: [{ _tag: "NotifyDisabled", reason }] }
  }
  return state.failingSince === null ? { state: { ...state, failingSince }, effects: [] } : unchanged
}
