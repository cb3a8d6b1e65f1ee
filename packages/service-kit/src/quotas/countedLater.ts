import { type Cause, Effect } from "effect"
import { safeCause } from "../telemetry/safeCause.ts"

/** Says that counting what organizations store failed, which is tried again. */
export const countedLater = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.logWarning("What organizations store is counted later", safeCause(cause))
