import { randomUUID } from "node:crypto"
import type { OrganizationId } from "@care/domain/ids"
import { PeerUnavailable } from "@care/service-kit"
import { runStripe, stripeControl } from "@care/stand-ins"
import { Cause, Context, Effect, Exit, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import StripeClient from "stripe"
import { Stripe } from "../src/stripe/Stripe.ts"
import { StripeCalls } from "../src/stripe/StripeCalls.ts"
import { StripeSettings } from "../src/stripe/StripeSettings.ts"
import "./retriesImmediately.ts"

const secretKey = "sk_test_of_the_tests"
const keyOfSandboxes = "sk_test_of_sandboxes"

/** The stand-in for Stripe in the test's process: its client and its control. */
export class TestStripe extends Context.Service<
  TestStripe,
  {
    readonly client: StripeClient
    readonly control: ReturnType<typeof stripeControl>
    /** The account of sandboxes. */
    readonly ofSandboxes: { readonly client: StripeClient; readonly control: ReturnType<typeof stripeControl> }
    /** Runs an effect while the service waits at most half a second for an answer. */
    readonly withShortTimeout: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@care/payments/test/TestStripe") {}

const layerGateway = Layer.effectContext(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { url } = yield* runStripe({ port: 0, secretKey })
    const { url: urlOfSandboxes } = yield* runStripe({ port: 0, secretKey: keyOfSandboxes })
    const clientOf = (url: string, key: string) =>
      new StripeClient(key, { host: "127.0.0.1", port: new URL(url).port, protocol: "http" })
    const gateway = (timeoutMillis: number) =>
      Effect.provide(
        Stripe,
        Layer.fresh(Stripe.layer).pipe(
          Layer.provide(
            Layer.succeed(StripeSettings, {
              live: { url, key: Redacted.make(secretKey), webhookSecrets: [Redacted.make("whsec_of_the_tests")] },
              test: { url: urlOfSandboxes, key: Redacted.make(keyOfSandboxes), webhookSecrets: [] },
              timeoutMillis,
              retries: 0
            })
          )
        )
      ).pipe(Effect.provideService(SqlClient.SqlClient, sql))
    const withLongTimeout = yield* gateway(10_000)
    let current = withLongTimeout
    return Context.make(TestStripe, {
      client: clientOf(url, secretKey),
      control: stripeControl({ url, secretKey }),
      ofSandboxes: {
        client: clientOf(urlOfSandboxes, keyOfSandboxes),
        control: stripeControl({ url: urlOfSandboxes, secretKey: keyOfSandboxes })
      },
      // A new client each time, whose circuit is closed.
      withShortTimeout: (effect) =>
        Effect.acquireUseRelease(
          Effect.map(gateway(500), (shortTimeout) => {
            current = shortTimeout
          }),
          () => effect,
          () =>
            Effect.sync(() => {
              current = withLongTimeout
            })
        )
    }).pipe(
      Context.add(Stripe, {
        ...withLongTimeout,
        ask: (...args) => current.ask(...args),
        change: (...args) => current.change(...args)
      })
    )
  })
)

/** The gateway of the payments service, with its stand-in. */
export const layerTestStripe = Layer.provideMerge(StripeCalls.layer, layerGateway)

/** Returns whether an effect died because the outcome at the gateway is unknown. */
export const hasUnknownOutcome = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof PeerUnavailable

const call = <A>(run: (client: StripeClient) => Promise<A>) =>
  Effect.flatMap(TestStripe, ({ client }) => Effect.promise(() => run(client)))

const metadataOf = (organizationId: OrganizationId | undefined) =>
  organizationId === undefined ? {} : { metadata: { organizationId } }

/** Makes a setup intent, confirmed unless `false`, of an organization if one is named. */
export const makeSetupIntent = Effect.fnUntraced(function* (
  organizationId?: OrganizationId,
  isConfirmed: boolean = true
) {
  const customer = yield* call((client) => client.customers.create({ email: `${randomUUID()}@example.com` }))
  return yield* call((client) =>
    client.setupIntents.create({
      customer: customer.id,
      ...metadataOf(organizationId),
      ...(isConfirmed && withVisa)
    })
  )
})

/** Makes a payment intent, by default of 299.99 USD, of an organization if one is named. */
export const makePaymentIntent = (
  organizationId?: OrganizationId,
  changes: Partial<StripeClient.PaymentIntentCreateParams> = {}
) =>
  call((client) =>
    client.paymentIntents.create({ amount: 29_999, currency: "usd", ...metadataOf(organizationId), ...changes })
  )

/** The parameters of a confirmation. */
export const visa = { payment_method: "pm_card_visa", return_url: "https://example.com" }

/** The parameters that confirm a payment intent at its creation. */
export const withVisa = { ...visa, confirm: true }
