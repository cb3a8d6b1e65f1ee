import { runStripe, stripeControl } from "@care/sandbox"
import { Context, Effect, Layer, Redacted } from "effect"
import StripeClient from "stripe"
import { Stripe } from "../src/stripe/Stripe.ts"
import { StripeSettings } from "../src/stripe/StripeSettings.ts"

const secretKey = "sk_test_ofthetests"

/** The stand-in for Stripe that a test runs: Stripe's own client of it, and what may be asked of it besides. */
export class StandIn extends Context.Service<
  StandIn,
  { readonly url: string; readonly client: StripeClient; readonly control: ReturnType<typeof stripeControl> }
>()("@care/payments/test/StandIn") {
  static readonly layer = Layer.effect(
    StandIn,
    Effect.gen(function* () {
      const { url } = yield* runStripe({ port: 0, secretKey })
      const { hostname, port } = new URL(url)
      const client = new StripeClient(secretKey, { host: hostname, port, protocol: "http" })
      return StandIn.of({ url, client, control: stripeControl({ url, secretKey }) })
    })
  )
}

// Long enough for every answer of the stand-in, and short enough to wait for none.
const timeoutMillis = 400

/** The service's way to the stand-in. */
export const layerStandIn = Stripe.layer.pipe(
  Layer.provide(
    Layer.effect(
      StripeSettings,
      Effect.map(StandIn, ({ url }) =>
        StripeSettings.of({ url, key: Redacted.make(secretKey), webhookSecrets: [], timeoutMillis })
      )
    )
  ),
  Layer.provideMerge(StandIn.layer)
)
