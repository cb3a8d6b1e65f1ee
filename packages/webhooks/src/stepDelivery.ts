import { Duration } from "effect"
import type { classifyResponse } from "./classifyResponse.ts"
import { deliveryRetryDelay } from "./deliveryRetryDelay.ts"

/** An event on its way to an endpoint. `nextAttemptAt` is null when no attempt follows. */
export interface DeliveryState {
  readonly status: "PENDING" | "DELIVERED" | "FAILED"
  readonly attempts: number
  readonly attemptsLeft: number
  readonly nextAttemptAt: Date | null
}

/**
 * Counts an attempt: the delivery is delivered, retried after the delay of the schedule or after `Retry-After`, whichever is
 * later, or given up after its last attempt.
 */
export const stepDelivery = (
  { attempts, attemptsLeft }: Pick<DeliveryState, "attempts" | "attemptsLeft">,
  { outcome, retryAfter }: Pick<ReturnType<typeof classifyResponse>, "outcome" | "retryAfter">,
  now: Date,
  random: number
): DeliveryState => {
  const counted = { attempts: attempts + 1, attemptsLeft: attemptsLeft - 1 }
  if (outcome === "DELIVERED") return { ...counted, status: "DELIVERED", nextAttemptAt: null }
  const delay = deliveryRetryDelay(counted.attemptsLeft, random)
  if (delay === undefined) return { ...counted, status: "FAILED", nextAttemptAt: null }
  const wait = Duration.max(delay, retryAfter ?? Duration.zero)
  return { ...counted, status: "PENDING", nextAttemptAt: new Date(now.getTime() + Duration.toMillis(wait)) }
}
