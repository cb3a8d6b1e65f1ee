import { type Cause, Effect } from "effect"
import { safeCause } from "../telemetry/safeCause.ts"

/** Logs that a count of stored rows failed. It is tried again. */
export const countedLater = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.logWarning("Stored rows cannot be counted now: this is tried again", safeCause(cause))
