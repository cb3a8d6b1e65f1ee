import { ConfigProvider, Context, Effect, Layer } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"
import { RateLimits } from "../limits/RateLimits.ts"

/** The gateway's settings for an environment, and that environment. */
export const layerTestSettings = (environment: Readonly<Record<string, string>> = {}) =>
  GatewaySettings.layer.pipe(
    Layer.provideMerge(ConfigProvider.layer(ConfigProvider.fromUnknown({ ADMIN_TOKEN: "operator", ...environment })))
  )

/** Makes the rate limits of a gateway with an environment. */
export const makeRateLimits = (environment: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    Layer.build(Layer.fresh(RateLimits.layer.pipe(Layer.provide(layerTestSettings(environment))))),
    (context) => Context.get(context, RateLimits)
  )
