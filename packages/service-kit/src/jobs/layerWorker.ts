import { Cause, Effect, Layer, Schedule } from "effect"
import { CurrentQueue } from "../identity/currentActor.ts"
import { inBackground } from "../sql/Background.ts"
import { safeCause } from "../telemetry/safeCause.ts"
import { causedBy } from "./JobCause.ts"
import type { JobKind } from "./JobKind.ts"
import { JobTakes } from "./JobTakes.ts"
import { jobAnnotations } from "./jobSetAside.ts"

/** Does one job; `id` is the same each time it is tried. A failure is tried again. Must be idempotent: it may run twice. */
export type Perform<Payload, E, R> = (payload: Payload, id: string) => Effect.Effect<void, E, R>

// A job that hung would keep its place for ever, and a job that has to be alone would wait for it.
const longestRun = "2 minutes"

/**
 * Works off the jobs of one kind for as long as the process lives, in the background. Contents of jobs are never logged, only
 * their ids.
 */
export const layerWorker = <Payload, E, R>(kind: JobKind<Payload>, perform: Perform<Payload, E, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const take = (yield* JobTakes).takeFrom(kind)
      const one = Effect.flatMap(take, ({ job, payload }) =>
        perform(payload, job.id).pipe(
          Effect.timeout(longestRun),
          // When the process stops this is not reached. Any other interruption comes from the work itself, which would be
          // done again at once and for ever if it were not charged.
          Effect.catchCauseIf(Cause.hasInterruptsOnly, () => Effect.die(new Error("The work interrupted itself"))),
          Effect.tapCause((cause) => Effect.logWarning(`Job failed, attempt ${job.attempts}`, safeCause(cause))),
          Effect.annotateLogs(jobAnnotations(job)),
          causedBy(job, `job ${kind.name}`),
          Effect.provideService(CurrentQueue, kind.name)
        )
      ).pipe(
        Effect.scoped,
        inBackground,
        Effect.catchCause(() => Effect.sleep("250 millis"))
      )
      yield* Effect.all(
        Array.from({ length: kind.concurrency }, () => Effect.repeat(one, Schedule.forever)),
        { concurrency: "unbounded", discard: true }
      ).pipe(Effect.interruptible, Effect.forkScoped)
    })
  )
