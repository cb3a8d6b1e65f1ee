import { Clock, Effect } from "effect"

interface CircuitBreakerOptions<E> {
  /** How many failures in a row of one caller open its circuit. */
  readonly failures: number
  /** How many milliseconds calls are refused before one is tried. */
  readonly openMillis: number
  readonly refused: () => E
  /** Whether a failure means that the peer is unavailable. It does not count if the peer answered another call meanwhile. */
  readonly isAway: (failure: E) => boolean
}

/** The organization for which a call is made, if any. */
type Caller = string | undefined

interface Circuit {
  failed: number
  /** The number of failures from which the circuit is open. */
  readonly opensAt: number
  openUntil: number
}

/**
 * Makes a circuit breaker, which Effect 4.0.5 does not have. After `failures` failures in a row of one caller, without any answer in
 * between, that caller's calls fail immediately until `openMillis` have passed; then one call is tried. The data of one caller may be the
 * reason, so the circuit of all callers opens only when those of two callers have opened.
 */
export const makeCircuitBreaker = <E>({ failures, isAway, openMillis, refused }: CircuitBreakerOptions<E>) => {
  let answers = 0
  // The circuits of callers with failures since the last answer.
  const circuits = new Map<Caller, Circuit>()
  // The circuit of all callers. Each caller's circuit that opens counts as a failure here.
  const shared: Circuit = { failed: 0, opensAt: 2, openUntil: 0 }

  const fail = (circuit: Circuit, now: number) => {
    circuit.failed += 1
    circuit.openUntil = now + openMillis
  }

  const recordFailure = (caller: Caller, now: number) => {
    const circuit = circuits.get(caller) ?? { failed: 0, opensAt: failures, openUntil: 0 }
    circuits.set(caller, circuit)
    fail(circuit, now)
    if (circuit.failed === failures) fail(shared, now)
  }

  const recordAnswer = () => {
    answers += 1
    circuits.clear()
    shared.failed = 0
  }

  const isRefused = (caller: Caller, now: number): boolean => {
    if (circuits.size === 0) return false
    const open = [circuits.get(caller) ?? shared, shared].filter(({ failed, opensAt }) => failed >= opensAt)
    if (open.some(({ openUntil }) => now < openUntil)) return true
    // This call is tried. Others are refused until it has ended.
    for (const circuit of open) circuit.openUntil = now + openMillis
    return false
  }

  return <A, R>(call: Effect.Effect<A, E, R>, caller?: Caller): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (isRefused(caller, now)) return Effect.fail(refused())
      const answersBefore = answers
      return call.pipe(
        Effect.tap(() => Effect.sync(recordAnswer)),
        Effect.tapError((failure) =>
          Effect.map(Clock.currentTimeMillis, (later) => {
            if (!isAway(failure)) return recordAnswer()
            if (answers === answersBefore) recordFailure(caller, later)
          })
        )
      )
    })
}
