import { Cause, Effect, Layer, Schedule } from "effect"
import type { PersistedQueue } from "effect/persistence"
import { safeCause } from "../telemetry/safeCause.ts"
import { MostPerOrganization } from "./MostPerOrganization.ts"

/** How one kind of job is worked off. */
export interface WorkerOptions<Job, E, R> {
  readonly name: string
  readonly queue: PersistedQueue.PersistedQueue<Job>
  /** How many of its jobs are under way at once in this process. */
  readonly concurrency: number
  /** How many of them may belong to one organization, in all processes together. Without it, all of them. */
  readonly perOrganization?: number
  /** Does one job. A failure is tried again by the schedule of the queue. Must be idempotent: it may run twice. */
  readonly perform: (job: Job, id: string) => Effect.Effect<void, E, R>
}

// A job that hung would keep its place for ever, and a job that has to be alone would wait for it.
const longestRun = "2 minutes"

/** Works off one queue for as long as the process lives. Contents of jobs are never logged, only their ids. */
export const layerWorker = <Job, E, R>(options: WorkerOptions<Job, E, R>) => {
  const { concurrency, name, perform, perOrganization, queue } = options
  const one = queue
    .take((job, { attempts, id }) =>
      perform(job, id).pipe(
        Effect.timeout(longestRun),
        // When the process stops this is not reached. Any other interruption comes from the work itself, which would be
        // done again at once and for ever if it were not charged.
        Effect.catchCauseIf(Cause.hasInterruptsOnly, () => Effect.die(new Error("The work interrupted itself"))),
        Effect.tapCause((cause) => Effect.logWarning(`Job failed, attempt ${attempts}`, safeCause(cause))),
        Effect.annotateLogs({ job: name, jobId: id }),
        Effect.withSpan(`job ${name}`, { attributes: { "job.id": id } })
      )
    )
    .pipe(
      Effect.provideService(MostPerOrganization, perOrganization),
      Effect.catchCause(() => Effect.sleep("250 millis"))
    )
  return Layer.effectDiscard(
    Effect.all(
      Array.from({ length: concurrency }, () => Effect.repeat(one, Schedule.forever)),
      { concurrency: "unbounded", discard: true }
    ).pipe(Effect.interruptible, Effect.forkScoped)
  )
}
