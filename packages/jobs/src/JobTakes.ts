import { safeCause } from "@care/service-kit"
import { Cause, Clock, Context, Duration, Effect, Exit, Layer, Option, Result, Schedule, Semaphore } from "effect"
import { type ClaimedJob, makeJobClaims } from "./JobClaims.ts"
import type { JobKind } from "./JobKind.ts"
import { makeJobPayloads } from "./JobPayloads.ts"
import type { JobTimes } from "./JobTimes.ts"
import { JobWakeUp } from "./JobWakeUp.ts"
import { countStarted } from "./jobOutcomes.ts"
import { keepJobLocks } from "./keepJobLocks.ts"
import { makeSettleJob } from "./makeSettleJob.ts"

export interface TakenJob<Payload> {
  readonly job: ClaimedJob
  readonly payload: Payload
  /** Stores the outcome of the work, and releases the job's slot. */
  readonly end: (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void>
}

// More jobs than any process runs at a time.
const allPermits = 1_000_000

// Lets the jobs of a process run beside each other, or one job alone, which takes all permits. A job that waits to run alone delays those
// that come after it: otherwise it might wait for ever.
const makeGate = Effect.gen(function* () {
  const entrance = yield* Semaphore.make(1)
  const semaphore = yield* Semaphore.make(allPermits)
  return {
    enter: (permits: number) => entrance.withPermit(semaphore.take(permits)),
    leave: (permits: number) => semaphore.release(permits)
  }
})

type Interruptible = <A, E, R>(waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Waits for jobs of one kind, and claims up to `limit`. Only its waits are `interruptible`, because claimed jobs must not be lost. */
type Take<Payload> = (
  limit: () => number,
  interruptible: Interruptible
) => Effect.Effect<ReadonlyArray<TakenJob<Payload>>>

/** Claims the jobs of this process, keeps their locks, and stores their outcomes. */
export class JobTakes extends Context.Service<
  JobTakes,
  { readonly takeFrom: <Payload>(kind: JobKind<Payload>) => Take<Payload> }
>()("@care/jobs/JobTakes") {
  static readonly layerWith = (times: JobTimes) =>
    Layer.effect(
      JobTakes,
      Effect.gen(function* () {
        const claims = yield* makeJobClaims
        const gate = yield* makeGate
        const heldClaims = yield* keepJobLocks(claims, times)
        const wakeUp = yield* JobWakeUp
        const { read } = yield* makeJobPayloads
        const { deadLetter, settle } = yield* makeSettleJob(times.firstRetry)

        // Finds jobs that other processes offered, and jobs that have become due.
        yield* Effect.suspend(() => claims.waiting(wakeUp.queues())).pipe(
          Effect.flatMap((queues) =>
            Effect.forEach(queues, ({ queueName }) => wakeUp.wake(queueName), { discard: true })
          ),
          Effect.catchCause((cause) => Effect.logWarning("Queues cannot be polled", safeCause(cause))),
          Effect.withTracerEnabled(false),
          Effect.repeat(Schedule.spaced(times.pollInterval)),
          Effect.interruptible,
          Effect.forkScoped
        )

        // Gives back the permits that a claim did not use.
        const returnUnused = <A>(permits: number, claim: Effect.Effect<A>, usedPermits: (claimed: A) => number) =>
          Effect.onExit(claim, (exit) => gate.leave(permits - (Exit.isSuccess(exit) ? usedPermits(exit.value) : 0)))

        const takeFrom = <Payload>(kind: JobKind<Payload>): Take<Payload> => {
          const latch = wakeUp.of(kind.name)
          const claimUpTo = claims.claimsOf(kind.name, kind, times.waitingLasts)
          // Whether the last claim saw more pending jobs. If not, the next claim waits for an offer.
          let hasMore = true
          // The next claim waits until then, so that it takes several jobs: it costs as much for one as for several.
          let debounceUntil = 0

          // Enters the gate before it claims, so that no claimed job waits for the gate while its attempt is already counted. Most
          // jobs run beside others, so it enters for those first; to run one alone it leaves and enters again.
          const claim = Effect.fnUntraced(function* (limit: number, interruptible: Interruptible) {
            yield* interruptible(gate.enter(limit))
            const claimed = yield* returnUnused(limit, claimUpTo(limit), ({ jobs }) => jobs.length)
            hasMore = claimed.hasMore || claimed.turn !== "beside"
            if (claimed.turn !== "alone") return { jobs: claimed.jobs, permits: 1, isFull: claimed.isFull }
            yield* interruptible(gate.enter(allPermits))
            const suspicious = yield* returnUnused(allPermits, claims.claimSuspicious(kind.name), (job) =>
              Option.isSome(job) ? allPermits : 0
            )
            return { jobs: Option.toArray(suspicious), permits: allPermits, isFull: false }
          })

          // Opens the latch if other jobs waited for this one to end, or if this one is tried again.
          const releaseSlot = (job: ClaimedJob, permits: number, exit: Exit.Exit<unknown, unknown>) =>
            Effect.suspend(() => {
              heldClaims.delete(job.claimId)
              if (hasMore || Exit.isFailure(exit)) latch.openUnsafe()
              return gate.leave(permits)
            })

          const begin = Effect.fnUntraced(function* (job: ClaimedJob, permits: number) {
            yield* countStarted(kind.name, job)
            const payload = yield* Effect.result(read(kind, job))
            if (Result.isFailure(payload)) {
              yield* deadLetter(job, "unreadable", payload.failure)
              yield* releaseSlot(job, permits, Exit.void)
              return []
            }
            const taken: TakenJob<Payload> = {
              job,
              payload: payload.success,
              end: (exit) => Effect.ensuring(settle(job, exit, kind.retries), releaseSlot(job, permits, exit))
            }
            return [taken]
          })

          // A job that cannot begin is tried again when its lock expires. The other claimed jobs begin.
          const beginOrRelease = (job: ClaimedJob, permits: number) =>
            Effect.catchDefect(begin(job, permits), (defect) =>
              Effect.logWarning("A claimed job cannot begin", safeCause(Cause.die(defect))).pipe(
                Effect.andThen(releaseSlot(job, permits, Exit.void)),
                Effect.as([])
              )
            )

          const claimAndBegin = Effect.fnUntraced(function* (limit: number, interruptible: Interruptible) {
            const { isFull, jobs, permits } = yield* claim(limit, interruptible)
            for (const { claimId } of jobs) heldClaims.add(claimId)
            // After a full claim more jobs may be due. Otherwise the remaining jobs are not due, or above their limit.
            if (hasMore && isFull) latch.openUnsafe()
            if (!isFull) debounceUntil = (yield* Clock.currentTimeMillis) + Duration.toMillis(times.debounce)
            return (yield* Effect.forEach(jobs, (job) => beginOrRelease(job, permits))).flat()
          }, Effect.withTracerEnabled(false))

          return Effect.fnUntraced(function* (limit, interruptible) {
            while (true) {
              yield* interruptible(latch.await)
              const wait = debounceUntil - (yield* Clock.currentTimeMillis)
              if (wait > 0) yield* interruptible(Effect.sleep(wait))
              latch.closeUnsafe()
              const taken = yield* claimAndBegin(limit(), interruptible).pipe(
                // Not the whole cause: that would catch an interruption, too.
                Effect.catchDefect((defect) =>
                  Effect.as(Effect.logWarning("No job can be claimed", safeCause(Cause.die(defect))), [])
                )
              )
              if (taken.length > 0) return taken
            }
          })
        }

        return JobTakes.of({ takeFrom })
      })
    )
}
