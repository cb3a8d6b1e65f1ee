import { Context, Effect, Layer } from "effect"
import { RateLimits } from "../limits/RateLimits.ts"
import { layerTestSettings } from "./layerTestSettings.ts"

/** Makes the rate limits of a gateway with an environment. */
export const makeRateLimits = (environment: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    Layer.build(Layer.fresh(RateLimits.layer.pipe(Layer.provide(layerTestSettings(environment))))),
    (context) => Context.get(context, RateLimits)
  )
