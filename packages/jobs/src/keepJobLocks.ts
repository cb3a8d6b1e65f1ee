import { safeCause } from "@care/service-kit"
import { type Duration, Effect, Schedule } from "effect"
import type { JobClaims } from "./JobClaims.ts"
import type { JobTimes } from "./JobTimes.ts"
import { jobAnnotations, jobDeadLettered } from "./jobOutcomes.ts"

/** Refreshes the locks of the returned set of own claims, which the caller keeps, and releases other jobs whose locks have expired. */
export const keepJobLocks = Effect.fnUntraced(function* (claims: JobClaims, times: JobTimes) {
  const held = new Set<string>()

  const refresh = Effect.suspend(() => (held.size === 0 ? Effect.void : claims.refresh([...held])))
  const takeOver = Effect.gen(function* () {
    for (const job of yield* claims.takeOver(times.lockExpiration, [...held])) {
      if (job.isDeadLettered) yield* jobDeadLettered(job, "died", job.lastFailure)
      else {
        yield* Effect.logWarning("The process of a job ended: the job is tried again, with no other beside it").pipe(
          Effect.annotateLogs(jobAnnotations(job))
        )
      }
    }
  })

  // Not on background connections, where slow statements of jobs could delay it until the locks expire.
  const keepDoing = <E>(work: Effect.Effect<unknown, E>, every: Duration.Duration) =>
    work.pipe(
      Effect.catchCause((cause) => Effect.logWarning("The locks of jobs cannot be refreshed", safeCause(cause))),
      Effect.withTracerEnabled(false),
      Effect.repeat(Schedule.spaced(every)),
      Effect.interruptible,
      Effect.forkScoped
    )
  yield* keepDoing(refresh, times.lockRefreshInterval)
  yield* keepDoing(takeOver, times.pollInterval)

  return held
})
