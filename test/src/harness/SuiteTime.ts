import { Clock, Context, Duration, Effect } from "effect"

/** The clock of a suite in this process, which a test can move forward. Sleeps take real time. */
export class SuiteTime extends Context.Service<
  SuiteTime,
  {
    readonly clock: Clock.Clock
    /** Moves the clock forward. */
    readonly advance: (duration: Duration.Input) => Effect.Effect<void>
  }
>()("@care/test/harness/SuiteTime") {
  static readonly make = Effect.map(Clock.Clock, (real) => {
    let aheadMillis = 0
    const millis = () => real.currentTimeMillisUnsafe() + aheadMillis
    const nanos = () => real.currentTimeNanosUnsafe() + BigInt(aheadMillis) * 1_000_000n
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => real.sleep(duration)
    }
    return SuiteTime.of({
      clock,
      advance: (duration) =>
        Effect.sync(() => {
          aheadMillis += Duration.toMillis(Duration.fromInputUnsafe(duration))
        })
    })
  })
}
