import { it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import Stripe from "stripe"
import type { StripeOptions } from "../src/stripe/runStripe.ts"
import { runStripe } from "../src/stripe/runStripe.ts"
import { stripeControl } from "../src/stripe/stripeControl.ts"

export const secretKey = "sk_test_of_the_tests"

/**
 * Makes the official client of a stand-in, without retries but for connections that were hung up, which it retries
 * immediately.
 */
export const clientOf = (url: string, key = secretKey): Stripe => {
  const client = new Stripe(key, {
    host: "127.0.0.1",
    port: new URL(url).port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: 5000
  })
  client.getInitialNetworkRetryDelay = () => 0
  return client
}

/** Runs a stand-in for Stripe until the scope closes, and returns its official client and its control. */
export const startStripe = (options: Partial<StripeOptions> = {}) =>
  Effect.map(runStripe({ port: 0, secretKey, ...options }), ({ url }) => ({
    url,
    stripe: clientOf(url),
    control: stripeControl({ url, secretKey })
  }))

/** Declares a test with a stand-in of its own. */
export const stripeTest = (
  name: string,
  body: (started: Effect.Success<ReturnType<typeof startStripe>>) => Effect.gen.Return<void, unknown, Scope.Scope>
) => it.live(name, () => Effect.scoped(Effect.flatMap(startStripe(), Effect.fnUntraced(body))))

/** Returns the answer of a client's call. */
export const ask = <A>(call: () => Promise<A>): Effect.Effect<A> => Effect.promise(call)

/** Returns the error of a client's call. */
export const errorOf = (call: () => Promise<unknown>): Effect.Effect<Stripe.errors.StripeError> =>
  Effect.promise(async () => {
    const error = await call().then(
      () => undefined,
      (thrown: unknown) => thrown
    )
    if (error instanceof Stripe.errors.StripeError) return error
    throw error ?? new Error("nothing was refused")
  })

/** Returns the types of all events so far, the first one first. */
export const typesOf = (stripe: Stripe): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const { data } = await stripe.events.list({ limit: 100 })
    return data.map(({ type }) => type).reverse()
  })

/** Makes a payment by card. */
export const pay = (stripe: Stripe, payment_method = "pm_card_visa") =>
  ask(() =>
    stripe.paymentIntents.create({
      allowed_payment_method_types: ["card"],
      amount: 1_000,
      currency: "usd",
      payment_method,
      confirm: true
    })
  )
