import { Effect } from "effect"
import type { JobKind } from "../JobKind.ts"
import { JobOffers } from "../JobOffers.ts"
import { JobTakes } from "../JobTakes.ts"

/** Returns a queue of a kind of job, and takes and does its jobs one by one. */
export const queueOf = Effect.fnUntraced(function* <Payload>(kind: JobKind<Payload>) {
  const take = (yield* JobTakes).takeFrom(kind)
  return {
    kind,
    ...(yield* JobOffers).queueOf(kind),
    /** Waits for a job, and does it. */
    take: <A, E, R>(perform: (payload: Payload, attempts: number) => Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (interruptible) {
          const [taken] = yield* take(() => 1, interruptible)
          if (taken === undefined) return yield* Effect.die(new Error("No job was taken"))
          const { end, job, payload } = taken
          return yield* Effect.onExit(interruptible(perform(payload, job.attempts)), end)
        })
      )
  }
})
