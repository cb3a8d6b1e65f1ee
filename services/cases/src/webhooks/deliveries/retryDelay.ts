import { Duration, Effect, Random } from "effect"

// After the first attempt, after the second, and so on: about three days altogether.
const delays: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(20),
  Duration.hours(24)
]

/** How many attempts are made at a delivery before it is given up. */
export const attemptsInAll = delays.length + 1

// So that those that failed together do not come together again.
const mostJitter = 0.2

/** How long the next attempt waits after one failed that left so many; undefined after the last. */
export const retryDelay = (attemptsLeft: number): Effect.Effect<Duration.Duration | undefined> =>
  Effect.map(Random.next, (random) => {
    const delay = delays[delays.length - attemptsLeft]
    return delay === undefined ? undefined : Duration.times(delay, 1 + random * mostJitter)
  })
