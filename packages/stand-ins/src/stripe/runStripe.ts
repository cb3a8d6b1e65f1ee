import { Clock, Effect } from "effect"
import { listen } from "../standIn/listen.ts"
import { type StripeOptions, stripeHandler } from "./stripeHandler.ts"

const expiryMillis = 60_000

/**
 * A stand-in for Stripe, for development and tests: its API, as far as this project goes, which the official client calls
 * unchanged and whose signed events it accepts. It keeps what it knows in a file, and so goes on where it was. The paths under
 * `/control`, with the same key, are its own: `stripeControl` says what they do.
 */
export const runStripe = Effect.fnUntraced(function* (options: StripeOptions) {
  const clock = yield* Clock.Clock
  let url = `http://127.0.0.1:${options.port}`
  const { deliveries, expire, handle } = stripeHandler(
    options,
    () => clock.currentTimeMillisUnsafe(),
    () => url
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => deliveries.close()))
  url = yield* listen("The stand-in for Stripe", options.port, handle)
  const timer = setInterval(() => {
    expire()
    deliveries.wake()
  }, expiryMillis).unref()
  yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(timer)))
  expire()
  deliveries.wake()
  return { url }
})
