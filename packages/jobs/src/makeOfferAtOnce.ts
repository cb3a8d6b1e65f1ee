import { afterCommit, safeCause } from "@care/service-kit"
import { Context, type Duration, Effect } from "effect"
import type { JobQueue } from "./JobOffers.ts"

/** How long a change waits for work after its commit. Tests wait longer, because they read what follows, also on a busy machine. */
export const AtOnceLimit = Context.Reference<Duration.Input>("@care/jobs/AtOnceLimit", {
  defaultValue: () => "500 millis"
})

/**
 * Makes the function that offers a job in the caller's transaction, and does its work after the commit, before the change is answered,
 * within `AtOnceLimit`. If that fails, the job does it.
 */
export const makeOfferAtOnce =
  <Payload, E>(name: string, { offer }: JobQueue<Payload>, work: (payload: Payload) => Effect.Effect<unknown, E>) =>
  (payload: Payload): Effect.Effect<void> => {
    const now = Effect.flatMap(AtOnceLimit, (limit) => Effect.timeout(Effect.interruptible(work(payload)), limit)).pipe(
      Effect.asVoid,
      Effect.catchCause((cause) => Effect.logWarning(`${name} is left to its job`, safeCause(cause)))
    )
    return Effect.andThen(offer(payload, { delay: "2 seconds" }), afterCommit(now))
  }
