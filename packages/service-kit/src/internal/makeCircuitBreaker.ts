import { Clock, Effect } from "effect"

interface CircuitBreakerOptions<E> {
  /** Failures in a row of one caller after which its calls are refused without being tried. */
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

/** For whom calls are made: an organization's id; undefined when for none. */
type Caller = string | undefined

interface Circuit {
  failed: number
  /** It is open from so many failures on. */
  readonly opensAt: number
  openUntil: number
}

/**
 * Wraps calls so that a peer that is down is asked only now and then: after `failures` failures in a row of one caller, with
 * no answer to anybody in between, its calls fail at once, until `openMillis` have passed and one call is tried. It may be that
 * caller's data which the peer does not answer, so everybody's calls fail at once only after two callers' failed so.
 * Effect 4.0.5 has none of its own.
 */
export const makeCircuitBreaker = <E>({ failures, isAway, openMillis, refused }: CircuitBreakerOptions<E>) => {
  let answers = 0
  // Of those callers whose calls failed since the last answer.
  const own = new Map<Caller, Circuit>()
  // Everybody's, which fails by each caller's that opens.
  const shared: Circuit = { failed: 0, opensAt: 2, openUntil: 0 }

  const fail = (circuit: Circuit, now: number) => {
    circuit.failed += 1
    circuit.openUntil = now + openMillis
  }

  const failedFor = (caller: Caller, now: number) => {
    const circuit = own.get(caller) ?? { failed: 0, opensAt: failures, openUntil: 0 }
    own.set(caller, circuit)
    fail(circuit, now)
    if (circuit.failed === failures) fail(shared, now)
  }

  const answered = () => {
    answers += 1
    own.clear()
    shared.failed = 0
  }

  const isRefused = (caller: Caller, now: number): boolean => {
    if (own.size === 0) return false
    const open = [own.get(caller) ?? shared, shared].filter(({ failed, opensAt }) => failed >= opensAt)
    if (open.some(({ openUntil }) => now < openUntil)) return true
    // This call is the one that is let through: others are refused until it has told.
    for (const circuit of open) circuit.openUntil = now + openMillis
    return false
  }

  return <A, R>(call: Effect.Effect<A, E, R>, caller?: Caller): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (isRefused(caller, now)) return Effect.fail(refused())
      const answersBefore = answers
      return call.pipe(
        Effect.tap(() => Effect.sync(answered)),
        Effect.tapError((failure) =>
          Effect.map(Clock.currentTimeMillis, (later) => {
            if (!isAway(failure)) return answered()
            if (answers === answersBefore) failedFor(caller, later)
          })
        )
      )
    })
}
