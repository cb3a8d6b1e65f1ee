import { Effect } from "effect"
import { safeCause } from "../telemetry/safeCause.ts"

/**
 * Tells another service what has just changed, before the change is answered, for 500 ms at most. A job of the change tells it, too, so
 * that what fails here is a warning alone, in which `what` is a noun.
 */
export const notifyBestEffort = <E, R>(what: string, tell: Effect.Effect<void, E, R>): Effect.Effect<void, never, R> =>
  Effect.interruptible(tell).pipe(
    Effect.timeout("500 millis"),
    Effect.catchCause((cause) => Effect.logWarning(`${what} is told later, by a job`, safeCause(cause)))
  )
