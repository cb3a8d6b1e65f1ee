import { afterCommit, safeCause } from "@care/service-kit"
import { Effect } from "effect"
import type { JobQueue } from "./JobOffers.ts"

/**
 * Makes the function that offers a job in the caller's transaction, and does its work after the commit, before the change is answered,
 * within 500 ms. If that fails, the job does it.
 */
export const makeOfferAtOnce =
  <Payload, E>(name: string, { offer }: JobQueue<Payload>, work: (payload: Payload) => Effect.Effect<unknown, E>) =>
  (payload: Payload): Effect.Effect<void> => {
    const now = Effect.interruptible(work(payload)).pipe(
      Effect.timeout("500 millis"),
      Effect.asVoid,
      Effect.catchCause((cause) => Effect.logWarning(`${name} is left to its job`, safeCause(cause)))
    )
    return Effect.andThen(offer(payload, { delay: "2 seconds" }), afterCommit(now))
  }
