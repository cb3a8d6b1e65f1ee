import { careClockHeader } from "@care/domain/admin"

let aheadMillis = 0
const listeners = new Set<() => void>()

// The header Date has no fractions of a second.
const leastMillis = 60_000

/** Notes how far the clock of the sandbox is ahead, if an answer of it says so. */
export const noteClock = ({ headers }: Response): void => {
  const [clock, date] = [headers.get(careClockHeader), headers.get("date")]
  if (clock === null || date === null) return
  const ahead = Date.parse(clock) - Date.parse(date)
  aheadMillis = ahead < leastMillis ? 0 : ahead
  for (const listener of listeners) listener()
}

/** Calls the listener when an answer said the time of the sandbox, until the function that it returns is called. */
export const followClock = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns whether the sandbox has another time than the person. */
export const isClockAhead = (): boolean => aheadMillis > 0

/** Returns the time by the clock of the organization that the page shows. */
export const organizationNow = (): number => Date.now() + aheadMillis
