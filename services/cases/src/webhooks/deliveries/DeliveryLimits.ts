import { Context, Duration } from "effect"
import type { Share } from "./DeliveryQueuesRepo.ts"

/** How much a process sends at a time, and how it is shared (docs/decisions/0056-deliveries.md). */
export interface DeliveryLimits {
  /** How many endpoints are sent to at a time, by the share that they have a place of. */
  readonly endpoints: Readonly<Record<Share, number>>
  /**
   * How many more, of those that make their senders wait while others wait for their places. As many as the places before may
   * find in the time of an attempt: then no place is held by those that do not answer for longer than `slowAfter`.
   */
  readonly slowEndpoints: number
  /** For how long an endpoint that is due may have a place of `LATEST`: others find it free then. */
  readonly latest: Duration.Duration
  /** How many attempts are under way at one endpoint. */
  readonly attempts: number
  /** The same when it makes its senders wait: beside those that wait. */
  readonly slowAttempts: number
  /** The same until one has succeeded, when it failed before or others wait for its place: it may be dead. */
  readonly unsureAttempts: number
  /** How many attempts are under way for one organization. */
  readonly ofOrganization: number
  /** How long an attempt may take before its endpoint counts as one that makes its senders wait. */
  readonly slowAfter: Duration.Duration
  /** How long an endpoint is sent to while others wait for their turn. */
  readonly turn: Duration.Duration
  /** How long a whole attempt may take. */
  readonly attempt: Duration.Duration
  /** How long a queue is left to a process after the last that was heard of it: much longer than an attempt. */
  readonly claim: Duration.Duration
  /** How long after an attempt ended is looked for what follows. */
  readonly debounce: Duration.Duration
  /** How often is looked for what is due, whatever the news are. */
  readonly poll: Duration.Duration
}

export const DeliveryLimits = Context.Reference<DeliveryLimits>("@care/cases/webhooks/DeliveryLimits", {
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
    claim: Duration.seconds(45),
    debounce: Duration.millis(5),
    poll: Duration.seconds(1)
  })
})
