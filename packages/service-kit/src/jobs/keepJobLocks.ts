import { type Duration, Effect, Schedule } from "effect"
import { safeCause } from "../telemetry/safeCause.ts"
import { JobClaims } from "./JobClaims.ts"
import { jobSetAside } from "./jobSetAside.ts"

/** How the processes that share a queue know of each other's life and death. */
export interface JobLockOptions {
  /** How long a job is left to its process after the last that was heard of it. */
  readonly lockExpiration: Duration.Duration
  /** How often a process says that it is alive. */
  readonly lockRefreshInterval: Duration.Duration
  /** How often is looked for jobs that are due, and for those whose process ended. */
  readonly pollInterval: Duration.Duration
}

/**
 * Keeps the locks of the jobs that this process has under way, and takes over those of processes that ended. Answers how
 * to hold the lock of a claim until the scope closes: as long as a process lives, it takes none of its own jobs for dead.
 */
export const keepJobLocks = Effect.fnUntraced(function* (options: JobLockOptions) {
  const claims = yield* JobClaims
  const held = new Set<string>()

  const refresh = Effect.suspend(() => (held.size === 0 ? Effect.void : claims.refresh([...held])))
  const takeOver = Effect.gen(function* () {
    for (const { id, isSetAside, queueName } of yield* claims.takeOver(options.lockExpiration, [...held])) {
      if (isSetAside) yield* jobSetAside(queueName, id, "died")
      else {
        yield* Effect.logWarning("The process of a job ended: the job is tried again alone").pipe(
          Effect.annotateLogs({ job: queueName, jobId: id })
        )
      }
    }
  })

  const keepDoing = <E>(work: Effect.Effect<unknown, E>, every: Duration.Duration) =>
    work.pipe(
      Effect.catchCause((cause) => Effect.logWarning("The locks of jobs are not kept", safeCause(cause))),
      Effect.withTracerEnabled(false),
      Effect.repeat(Schedule.spaced(every)),
      Effect.interruptible,
      Effect.forkScoped
    )
  yield* keepDoing(refresh, options.lockRefreshInterval)
  yield* keepDoing(takeOver, options.pollInterval)

  return (claimId: string) =>
    Effect.acquireRelease(
      Effect.sync(() => held.add(claimId)),
      () => Effect.sync(() => held.delete(claimId))
    )
})
