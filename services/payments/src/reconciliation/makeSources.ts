import { Duration, Effect } from "effect"
import { makeEventSource } from "./eventSource.ts"
import { makeOpenPaymentsSource } from "./openPaymentsSource.ts"
import { makeSetupSource } from "./setupSource.ts"
import { makeUnclaimedSource } from "./unclaimedSource.ts"
import { makeUnhandledSource } from "./unhandledSource.ts"
import { makeUnsettledSource } from "./unsettledSource.ts"

/** How old something is before its absence here is a difference. */
export interface SettlingTimes {
  /** An event that Stripe tells of by itself. */
  readonly event: Duration.Duration
  /** A confirmed setup intent, which the partner completes. */
  readonly setup: Duration.Duration
}

const usual: SettlingTimes = { event: Duration.minutes(1), setup: Duration.hours(1) }

/** What payments compares with Stripe: first where money is held, was taken and went back, so that what has no payment is known. */
export const makeSources = Effect.fnUntraced(function* ({ event, setup }: SettlingTimes = usual) {
  return [
    yield* makeEventSource(
      "stripe-money",
      [
        "payment_intent.amount_capturable_updated",
        "payment_intent.succeeded",
        "payment_intent.canceled",
        "charge.refunded"
      ],
      event
    ),
    yield* makeUnclaimedSource,
    yield* makeEventSource(
      "stripe-events",
      [
        "payment_intent.payment_failed",
        "charge.succeeded",
        "charge.dispute.created",
        "charge.dispute.updated",
        "charge.dispute.closed",
        "refund.created",
        "refund.updated",
        "refund.failed"
      ],
      event
    ),
    yield* makeUnhandledSource,
    yield* makeUnsettledSource,
    yield* makeOpenPaymentsSource,
    yield* makeSetupSource(setup)
  ]
})
