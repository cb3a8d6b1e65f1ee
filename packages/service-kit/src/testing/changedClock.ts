import { Clock, Effect } from "effect"

interface Changes {
  readonly millis?: () => number
  readonly sleep?: Clock.Clock["sleep"]
}

/** Makes a clock with the time or the sleeps of a test, and otherwise the real ones. */
export const changedClock = (changes: Changes): Clock.Clock => {
  const real = Clock.Clock.defaultValue()
  const millis = changes.millis ?? (() => real.currentTimeMillisUnsafe())
  const nanos = () => BigInt(Math.round(millis())) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: changes.sleep ?? ((duration) => real.sleep(duration))
  }
}

/** Makes a clock on which no time passes, although sleeps take real time. */
export const makeStandingClock = (): Clock.Clock => {
  const now = Date.now()
  return changedClock({ millis: () => now })
}
