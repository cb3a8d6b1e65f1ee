import { Duration } from "effect"

// The delays after the first attempt, the second, and so on: about three days altogether.
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

/** How many attempts a delivery has before it is given up. A replay gives it as many again. */
export const attemptsInAll = delays.length + 1

// Deliveries that failed together are not retried together.
const maxJitter = 0.2

/** Returns how long to wait after a failure that left so many attempts, with `random` from 0 to 1. Undefined after the last. */
export const deliveryRetryDelay = (attemptsLeft: number, random: number): Duration.Duration | undefined => {
  const delay = delays[delays.length - attemptsLeft]
  return delay === undefined ? undefined : Duration.times(delay, 1 + random * maxJitter)
}
