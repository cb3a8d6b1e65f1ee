import { Duration, Effect } from "effect"
import { makeEventSource } from "./eventSource.ts"
import { makeOpenPaymentsSource } from "./openPaymentsSource.ts"
import { makeSetupSource } from "./setupSource.ts"
import { makeUnclaimedSource } from "./unclaimedSource.ts"
import { makeUnhandledSource } from "./unhandledSource.ts"
import { makeUnsettledSource } from "./unsettledSource.ts"

/** The age from which the absence of something here is a difference. */
export interface SettlingTimes {
  /** An event that Stripe sends to the webhook. */
  readonly event: Duration.Duration
  /** A confirmed setup intent, which the partner has to complete. */
  readonly setup: Duration.Duration
}

const defaultTimes: SettlingTimes = { event: Duration.minutes(1), setup: Duration.hours(1) }

/** Makes the sources of the reconciliation with Stripe. The events of money come first, so that the unclaimed intents are known. */
export const makeSources = Effect.fnUntraced(function* ({ event, setup }: SettlingTimes = defaultTimes) {
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
