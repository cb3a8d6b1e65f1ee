import { Clock, Effect } from "effect"

interface CircuitBreakerOptions<E> {
  /** Consecutive failures after which calls are refused without being tried. */
  readonly failures: number
  /** How long calls are refused, in milliseconds, before one is let through to see. */
  readonly openMillis: number
  /** What a refused call fails with. */
  readonly refused: () => E
  /**
   * Whether a failure counts: it says that the peer is away, and not that it broke over this one call. It does not count when
   * the peer answered another call meanwhile.
   */
  readonly isAway: (failure: E) => boolean
}

/**
 * Wraps calls so that a peer that is down is asked only now and then: after `failures` failures in a row calls fail at
 * once, until `openMillis` have passed and one call is tried. Effect 4.0.5 has none of its own.
 */
export const makeCircuitBreaker = <E>({ failures, isAway, openMillis, refused }: CircuitBreakerOptions<E>) => {
  let answers = 0
  let failed = 0
  let openUntil = 0

  return <A, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (failed >= failures) {
        if (now < openUntil) return Effect.fail(refused())
        // This call is the one that is let through: others are refused until it has told.
        openUntil = now + openMillis
      }
      const answersBefore = answers
      const answered = () => {
        answers += 1
        failed = 0
      }
      return call.pipe(
        Effect.tap(() => Effect.sync(answered)),
        Effect.tapError((failure) =>
          Effect.map(Clock.currentTimeMillis, (later) => {
            if (!isAway(failure)) return answered()
            if (answers !== answersBefore) return
            failed += 1
            openUntil = later + openMillis
          })
        )
      )
    })
}
