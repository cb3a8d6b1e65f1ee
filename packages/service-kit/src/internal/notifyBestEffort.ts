import { Effect } from "effect"
import { safeCause } from "../telemetry/safeCause.ts"

/**
 * Notifies another service of a change before the change is answered, for at most 500 ms. A job of the same change notifies it, too, so
 * that a failure here is only logged. `what` is the subject of the log line.
 */
export const notifyBestEffort = <E, R>(what: string, tell: Effect.Effect<void, E, R>): Effect.Effect<void, never, R> =>
  Effect.interruptible(tell).pipe(
    Effect.timeout("500 millis"),
    Effect.catchCause((cause) => Effect.logWarning(`${what} is replicated later, by a job`, safeCause(cause)))
  )
