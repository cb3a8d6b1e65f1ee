import { Effect, Layer, Schedule } from "effect"
import type { PersistedQueue } from "effect/persistence"
import { safeCause } from "../telemetry/safeCause.ts"

/** How one kind of job is worked off. */
export interface WorkerOptions<Job, E, R> {
  readonly name: string
  readonly queue: PersistedQueue.PersistedQueue<Job>
  readonly concurrency: number
  /** Does one job. A failure is tried again by the schedule of the queue. Must be idempotent: it may run twice. */
  readonly perform: (job: Job, id: string) => Effect.Effect<void, E, R>
}

/** Works off one queue for as long as the process lives. Contents of jobs are never logged, only their ids. */
export const layerWorker = <Job, E, R>({ concurrency, name, perform, queue }: WorkerOptions<Job, E, R>) => {
  const one = queue
    .take((job, { attempts, id }) =>
      perform(job, id).pipe(
        Effect.tapCause((cause) => Effect.logWarning(`Job failed, attempt ${attempts}`, safeCause(cause))),
        Effect.annotateLogs({ job: name, jobId: id }),
        Effect.withSpan(`job ${name}`, { attributes: { "job.id": id } })
      )
    )
    .pipe(Effect.catchCause(() => Effect.sleep("250 millis")))
  return Layer.effectDiscard(
    Effect.all(
      Array.from({ length: concurrency }, () => Effect.repeat(one, Schedule.forever)),
      { concurrency: "unbounded", discard: true }
    ).pipe(Effect.interruptible, Effect.forkScoped)
  )
}
