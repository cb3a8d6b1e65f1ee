/** What decides whether a pending delivery may be sent: its queue, the first delivery of its lane, and its own next attempt. */
export interface Place<Earlier> {
  /** Whether the endpoint or its organization is disabled. */
  readonly isPaused: boolean
  /** Until when the endpoint asked to receive nothing. */
  readonly slowedUntil: Date | null
  /** The pending delivery that goes before it in its lane. */
  readonly earlier: Earlier | null
  readonly nextAttemptAt: Date
}

/** Why a pending delivery is not sent now. */
export type Wait<Earlier> =
  | { readonly reason: "ENDPOINT_DISABLED" }
  | { readonly reason: "EARLIER_EVENT"; readonly earlier: Earlier }
  | { readonly reason: "ENDPOINT_BUSY" | "NEXT_ATTEMPT"; readonly until: Date }

/** Returns what a pending delivery waits for, or undefined when it may be sent now. */
export const waitOf = <Earlier>(
  { earlier, isPaused, nextAttemptAt, slowedUntil }: Place<Earlier>,
  now: Date
): Wait<Earlier> | undefined => {
  if (isPaused) return { reason: "ENDPOINT_DISABLED" }
  if (earlier !== null) return { reason: "EARLIER_EVENT", earlier }
  if (slowedUntil !== null && slowedUntil > now && slowedUntil >= nextAttemptAt) {
    return { reason: "ENDPOINT_BUSY", until: slowedUntil }
  }
  return nextAttemptAt > now ? { reason: "NEXT_ATTEMPT", until: nextAttemptAt } : undefined
}
