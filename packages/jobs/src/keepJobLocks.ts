import { safeCause } from "@care/service-kit"
import { type Duration, Effect, Schedule } from "effect"
import type { JobClaims } from "./JobClaims.ts"
import type { JobTimes } from "./JobTimes.ts"
import { jobAnnotations, jobDeadLettered } from "./jobDeadLettered.ts"

/**
 * Keeps the locks of the jobs that this process has under way, and takes over those of processes that ended. Answers
 * the claims that are kept, to be added to and deleted from: as long as a process lives, it takes none of its own jobs for dead.
 */
export const keepJobLocks = Effect.fnUntraced(function* (claims: JobClaims, times: JobTimes) {
  const held = new Set<string>()

  const refresh = Effect.suspend(() => (held.size === 0 ? Effect.void : claims.refresh([...held])))
  const takeOver = Effect.gen(function* () {
    for (const job of yield* claims.takeOver(times.lockExpiration, [...held])) {
      if (job.isSetAside) yield* jobDeadLettered(job, "died", job.lastFailure)
      else {
        yield* Effect.logWarning("The process of a job ended: the job is tried again alone").pipe(
          Effect.annotateLogs(jobAnnotations(job))
        )
      }
    }
  })

  // Not in the background, where slow work of other jobs could keep it waiting until the locks expire.
  const keepDoing = <E>(work: Effect.Effect<unknown, E>, every: Duration.Duration) =>
    work.pipe(
      Effect.catchCause((cause) => Effect.logWarning("The locks of jobs are not kept", safeCause(cause))),
      Effect.withTracerEnabled(false),
      Effect.repeat(Schedule.spaced(every)),
      Effect.interruptible,
      Effect.forkScoped
    )
  yield* keepDoing(refresh, times.lockRefreshInterval)
  yield* keepDoing(takeOver, times.pollInterval)

  return held
})
