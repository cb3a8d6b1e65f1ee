import { Context, Effect, Layer } from "effect"
import { RateLimits } from "../limits/RateLimits.ts"
import { layerTestSettings } from "./layerTestSettings.ts"

/** The limits of a gateway of its own, as the environment says. */
export const makeRateLimits = (environment: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    Layer.build(Layer.fresh(RateLimits.layer.pipe(Layer.provide(layerTestSettings(environment))))),
    (context) => Context.get(context, RateLimits)
  )
