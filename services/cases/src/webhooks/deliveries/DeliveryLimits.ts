import { Context, Duration } from "effect"
import type { Standing } from "./DeliveryQueuesRepo.ts"

/** How much a process sends at a time, and how it is shared (docs/decisions/0056-deliveries.md). */
export interface DeliveryLimits {
  /** How many endpoints are sent to at a time, by how they did before. */
  readonly endpoints: Readonly<Record<Standing, number>>
  /** How many more, of those that did well or are new, and make their senders wait now. */
  readonly slowEndpoints: number
  /** How many attempts are under way at one endpoint. */
  readonly attempts: Readonly<Record<Standing, number>>
  /** The same when it makes its senders wait: beside those that wait. */
  readonly slowAttempts: number
  /** How many attempts are under way for one organization. */
  readonly ofOrganization: number
  /** When an endpoint counts as one that makes its senders wait. */
  readonly slowAfter: Duration.Duration
  /** How long an endpoint is sent to while others wait for their turn. */
  readonly turn: Duration.Duration
  /** How long a whole attempt may take. */
  readonly attempt: Duration.Duration
  /** How long a queue is left to a process after the last that was heard of it: much longer than an attempt. */
  readonly claim: Duration.Duration
  /** How long after an attempt ended is looked for what follows. */
  readonly gathering: Duration.Duration
  /** How often is looked for what is due, whatever the news are. */
  readonly poll: Duration.Duration
}

export const DeliveryLimits = Context.Reference<DeliveryLimits>("@care/cases/webhooks/DeliveryLimits", {
  defaultValue: () => ({
    endpoints: { PROVEN: 32, FRESH: 16, FAILING: 128 },
    slowEndpoints: 256,
    attempts: { PROVEN: 8, FRESH: 4, FAILING: 2 },
    slowAttempts: 4,
    ofOrganization: 64,
    slowAfter: Duration.seconds(1),
    turn: Duration.seconds(1),
    attempt: Duration.seconds(15),
    claim: Duration.seconds(45),
    gathering: Duration.millis(5),
    poll: Duration.seconds(1)
  })
})
