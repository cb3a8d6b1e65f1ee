import { asJob, CurrentQueue, safeCause } from "@care/service-kit"
import { Cause, Effect, Latch, Layer, Option, Schedule, Scope } from "effect"
import { isCancelled } from "./JobCancelled.ts"
import { causedBy } from "./JobCause.ts"
import type { ClaimedJob } from "./JobClaims.ts"
import type { JobKind } from "./JobKind.ts"
import { JobTakes, type TakenJob } from "./JobTakes.ts"
import { jobAnnotations } from "./jobDeadLettered.ts"
import { failuresOf } from "./makeSettleJob.ts"
import { isLastTry } from "./RetryPolicy.ts"

/** One try of a job, which may end it. A failure of the last one sets the job aside. */
interface Attempt {
  readonly isLast: boolean
  /** Whether an earlier attempt failed. */
  readonly isRetry: boolean
}

/**
 * Does one job; `id` is the same each time it is tried. A failure is tried again, unless it is `JobCancelled` or `GivenUp`. Must be
 * idempotent: it may run twice.
 */
export type Perform<Payload, E, R> = (payload: Payload, id: string, attempt: Attempt) => Effect.Effect<unknown, E, R>

// A job that hung would keep its place for ever, and a job that has to be alone would wait for it.
const longestRun = "2 minutes"

/**
 * Works off the jobs of one kind for as long as the process lives, in the background: as many are taken at a time as there
 * are places for. Contents of jobs are never logged, only their ids.
 */
export const layerWorker = <Payload, E, R>(kind: JobKind<Payload>, perform: Perform<Payload, E, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const take = (yield* JobTakes).takeFrom(kind)
      // Closed after nothing is taken any more, or what is taken then would be left.
      const jobs = yield* Scope.fork(yield* Effect.scope, "parallel")
      const room = Latch.makeUnsafe(true)
      let free = kind.concurrency

      const leave = Effect.sync(() => {
        free += 1
        room.openUnsafe()
      })

      const attemptOf = (job: ClaimedJob): Attempt => {
        const failures = failuresOf(job)
        return { isLast: isLastTry({ ...job, failures }, kind.retries), isRetry: failures > 1 }
      }

      const work = ({ end, job, payload }: TakenJob<Payload>) =>
        perform(payload, job.id, attemptOf(job)).pipe(
          Effect.timeout(longestRun),
          // When the process stops this is not reached. Any other interruption comes from the work itself, which would be
          // done again at once and for ever if it were not charged.
          Effect.catchCauseIf(Cause.hasInterruptsOnly, () => Effect.die(new Error("The work interrupted itself"))),
          Effect.tapCause((cause) => {
            const cancelled = Option.filter(Cause.findErrorOption(cause), isCancelled)
            return Option.isSome(cancelled)
              ? Effect.logInfo(`Job cancelled: ${cancelled.value.reason}`)
              : Effect.logWarning(`Job failed, attempt ${job.attempts}`, safeCause(cause))
          }),
          Effect.annotateLogs(jobAnnotations(job)),
          causedBy(job, `job ${kind.name}`),
          Effect.provideService(CurrentQueue, kind.name),
          Effect.interruptible,
          Effect.exit,
          Effect.flatMap(end),
          Effect.ensuring(leave)
        )

      const some = Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (interruptible) {
          yield* interruptible(room.await)
          for (const taken of yield* take(() => free, interruptible)) {
            free -= 1
            if (free === 0) room.closeUnsafe()
            yield* Effect.forkIn(work(taken), jobs, { uninterruptible: "inherit" })
          }
        })
      ).pipe(
        asJob,
        Effect.catchCause(() => Effect.sleep("250 millis"))
      )
      yield* Effect.repeat(some, Schedule.forever).pipe(Effect.interruptible, Effect.forkScoped)
    })
  )
