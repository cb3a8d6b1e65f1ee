import { layer } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"

/** Declares a test, whose body is that of an `Effect.gen`. */
type It<R> = (
  name: string,
  body: () => Generator<Effect.Effect<unknown, unknown, R | Scope.Scope>, unknown, never>,
  timeoutMillis?: number
) => void

/** Declares tests that share the services of a layer, mostly a suite. They use the real clock. */
export const testsOn = <R, E>(shared: Layer.Layer<R, E>, name: string, declare: (it: It<R>) => void) =>
  layer(shared, { timeout: "2 minutes", excludeTestServices: true })(name, (it) =>
    declare((title, body, timeoutMillis) => it.effect(title, () => Effect.gen(body), timeoutMillis))
  )
