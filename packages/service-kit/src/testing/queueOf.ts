import { Effect } from "effect"
import type { JobKind } from "../jobs/JobKind.ts"
import { JobOffers, type OfferOptions } from "../jobs/JobOffers.ts"
import { JobTakes } from "../jobs/JobTakes.ts"

/** A queue without a worker: jobs are offered to it, and taken from it one by one. */
export const queueOf = Effect.fnUntraced(function* <Payload>(kind: JobKind<Payload>) {
  const { offer } = yield* JobOffers
  const taken = (yield* JobTakes).takeFrom(kind)
  return {
    kind,
    offer: (payload: Payload, options?: OfferOptions) => offer(kind, payload, options),
    /** Does one job, when there is one. */
    take: <A, E, R>(perform: (payload: Payload, attempts: number) => Effect.Effect<A, E, R>) =>
      Effect.scoped(Effect.flatMap(taken, ({ job, payload }) => perform(payload, job.attempts)))
  }
})
