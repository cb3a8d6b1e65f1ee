import { safeCause } from "@care/service-kit"
import { type Duration, Effect, Schedule } from "effect"
import type { JobClaims } from "./JobClaims.ts"
import type { JobTimes } from "./JobTimes.ts"
import { jobAnnotations, jobDeadLettered } from "./jobOutcomes.ts"

/**
 * Refreshes the locks of this process's claims in the background, and releases jobs of other processes whose locks have expired. Returns
 * the set of claim ids to refresh; the caller adds and removes them.
 */
export const keepJobLocks = Effect.fnUntraced(function* (claims: JobClaims, times: JobTimes) {
  const heldClaims = new Set<string>()

  const refresh = Effect.suspend(() => (heldClaims.size === 0 ? Effect.void : claims.refresh([...heldClaims])))
  const takeOver = Effect.gen(function* () {
    for (const job of yield* claims.takeOver(times.lockExpiration, [...heldClaims])) {
      if (job.isDeadLettered) yield* jobDeadLettered(job, "died", job.lastFailure)
      else {
        yield* Effect.logWarning("The process of a job ended: the job is tried again, with no other beside it").pipe(
          Effect.annotateLogs(jobAnnotations(job))
        )
      }
    }
  })

  // Not on background connections, where slow statements of jobs could delay it until the locks expire.
  const repeat = <E>(work: Effect.Effect<unknown, E>, interval: Duration.Duration) =>
    work.pipe(
      Effect.catchCause((cause) => Effect.logWarning("The locks of jobs cannot be refreshed", safeCause(cause))),
      Effect.withTracerEnabled(false),
      Effect.repeat(Schedule.spaced(interval)),
      Effect.interruptible,
      Effect.forkScoped
    )
  yield* repeat(refresh, times.lockRefreshInterval)
  yield* repeat(takeOver, times.pollInterval)

  return heldClaims
})
