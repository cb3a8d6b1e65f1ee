import { Clock, Effect } from "effect"

/** How a circuit breaker judges. */
export interface CircuitBreakerOptions<E> {
  /** Consecutive failures after which calls are refused without being tried. */
  readonly failures: number
  /** How long calls are refused, in milliseconds, before one is let through to see. */
  readonly openMillis: number
  /** What a refused call fails with. */
  readonly refused: () => E
}

/**
 * Wraps calls so that a peer that is down is asked only now and then: after `failures` failures in a row calls fail at
 * once, until `openMillis` have passed and one call is tried. Effect 4.0.5 has none of its own.
 */
export const makeCircuitBreaker = <E>({ failures, openMillis, refused }: CircuitBreakerOptions<E>) => {
  let failed = 0
  let openUntil = 0

  return <A, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (failed >= failures) {
        if (now < openUntil) return Effect.fail(refused())
        // This call is the one that is let through: others are refused until it has told.
        openUntil = now + openMillis
      }
      return call.pipe(
        Effect.tap(() =>
          Effect.sync(() => {
            failed = 0
          })
        ),
        Effect.tapError(() =>
          Effect.map(Clock.currentTimeMillis, (later) => {
            failed += 1
            openUntil = later + openMillis
          })
        )
      )
    })
}
