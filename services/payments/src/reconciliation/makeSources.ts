import { onTestAccount } from "@care/service"
import { Duration, Effect } from "effect"
import { Stripe } from "../stripe/index.ts"
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

/**
 * Makes the sources of the reconciliation with Stripe. The events of money come first, so that the unclaimed intents are known. Lists of the
 * account of sandboxes have sources of their own.
 */
export const makeSources = Effect.fnUntraced(function* ({ event, setup }: SettlingTimes = defaultTimes) {
  const [money, events, setups] = [
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
    yield* makeSetupSource(setup)
  ]
  const { hasTestAccount } = yield* Stripe
  return [
    money,
    yield* makeUnclaimedSource,
    events,
    yield* makeUnhandledSource,
    yield* makeUnsettledSource,
    yield* makeOpenPaymentsSource,
    setups,
    ...(hasTestAccount ? [money, events, setups].map(onTestAccount) : [])
  ]
})
