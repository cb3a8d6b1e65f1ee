import { Context, Duration } from "effect"
import type { Share } from "./Health.ts"

/** How much a process sends at a time, and how it is shared. */
export interface DispatchLimits {
  /** How many endpoints are sent to at a time, by share. */
  readonly endpoints: Readonly<Record<Share, number>>
  /**
   * How many slow endpoints are sent to beside these. As many as the other slots can find within the time of an attempt, so
   * that no endpoint which never answers keeps one of those for longer than `slowAfter`.
   */
  readonly slowEndpoints: number
  /** How recently an endpoint must have become due to get a slot of `LATEST`. */
  readonly latest: Duration.Duration
  /** How many attempts are under way at one endpoint. */
  readonly attempts: number
  /** The same at a slow endpoint. */
  readonly slowAttempts: number
  /** The same until the first success of an endpoint that failed before, or while others wait for its slot: it may be dead. */
  readonly unsureAttempts: number
  /** How many attempts are under way for one organization. */
  readonly ofOrganization: number
  /** After how long an attempt makes its endpoint a slow one. */
  readonly slowAfter: Duration.Duration
  /** How long an endpoint is sent to while others wait for a slot. */
  readonly turn: Duration.Duration
  /** How long a whole attempt may take. */
  readonly attempt: Duration.Duration
  /** How long a claim of a queue holds after it was taken or renewed: two thirds of it are longer than an attempt. */
  readonly claim: Duration.Duration
  /** How long a sender waits after an attempt ended, so that one look serves all attempts that end together. */
  readonly debounce: Duration.Duration
  /** How often the dispatcher looks for what is due without being woken. */
  readonly poll: Duration.Duration
}

export const DispatchLimits = Context.Reference<DispatchLimits>("@care/webhooks/DispatchLimits", {
  defaultValue: () => ({
    endpoints: { PROVEN: 32, LATEST: 16, FRESH: 16, FAILING: 128 },
    slowEndpoints: 4096,
    latest: Duration.seconds(5),
    attempts: 8,
    slowAttempts: 4,
    unsureAttempts: 2,
    ofOrganization: 64,
    slowAfter: Duration.millis(250),
    turn: Duration.seconds(1),
    attempt: Duration.seconds(15),
    claim: Duration.seconds(24),
    debounce: Duration.millis(5),
    poll: Duration.seconds(1)
  })
})
