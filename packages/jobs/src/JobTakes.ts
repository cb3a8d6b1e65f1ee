import { safeCause } from "@care/service-kit"
import { Cause, Clock, Context, Duration, Effect, Exit, Layer, Option, Result, Schedule } from "effect"
import { type ClaimedJob, makeJobClaims } from "./JobClaims.ts"
import type { JobKind } from "./JobKind.ts"
import { makeJobPayloads } from "./JobPayloads.ts"
import type { JobTimes } from "./JobTimes.ts"
import { JobWakeUp } from "./JobWakeUp.ts"
import { keepJobLocks } from "./keepJobLocks.ts"
import { makeJobGate } from "./makeJobGate.ts"
import { makeSettleJob } from "./makeSettleJob.ts"

/** A job that this process has claimed and opened. */
export interface TakenJob<Payload> {
  readonly job: ClaimedJob
  readonly payload: Payload
  /** Stores the outcome of the work, and releases the job's slot. */
  readonly end: (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void>
}

type Interruptible = <A, E, R>(waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Waits for jobs of one kind, and claims up to `most` of them. It runs in an uninterruptible region, because claimed jobs would be
 * lost otherwise; only its waits are `interruptible`.
 */
type Take<Payload> = (
  most: () => number,
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
        const gate = yield* makeJobGate
        const held = yield* keepJobLocks(claims, times)
        const wakeUp = yield* JobWakeUp
        const { read } = yield* makeJobPayloads
        const { deadLetter, settle } = yield* makeSettleJob(times.firstRetry)

        // Finds jobs that other processes offered, and jobs that have become due.
        yield* Effect.suspend(() => claims.waiting(wakeUp.queues())).pipe(
          Effect.flatMap((found) =>
            Effect.forEach(found, ({ queueName }) => wakeUp.tell(queueName), { discard: true })
          ),
          Effect.catchCause((cause) => Effect.logWarning("Queues cannot be polled", safeCause(cause))),
          Effect.withTracerEnabled(false),
          Effect.repeat(Schedule.spaced(times.pollInterval)),
          Effect.interruptible,
          Effect.forkScoped
        )

        const entered = <A>(places: number, claim: Effect.Effect<A>, used: (claimed: A) => number) =>
          Effect.onExit(claim, (exit) => gate.leave(places - (Exit.isSuccess(exit) ? used(exit.value) : 0)))

        const takeFrom = <Payload>(kind: JobKind<Payload>): Take<Payload> => {
          const latch = wakeUp.of(kind.name)
          // Whether the last claim saw more pending jobs. If not, the next claim waits for an offer.
          let hasMore = true
          // The next claim waits until then, so that it takes several jobs: it costs as much for one as for several.
          let debounceUntil = 0

          // Enters the gate before it claims, so that no claimed job waits for the gate while its attempt is already counted. Most
          // jobs run beside others, so it enters for those first; to run one alone it leaves and enters again.
          const claim = Effect.fnUntraced(function* (most: number, interruptible: Interruptible) {
            yield* interruptible(gate.enter(most))
            const found = yield* entered(most, claims.claim(kind.name, { ...kind, most }), ({ jobs }) => jobs.length)
            hasMore = found.hasMore || found.turn !== "beside"
            if (found.turn !== "alone") return { jobs: found.jobs, places: 1, isFull: found.jobs.length === most }
            yield* interruptible(gate.enter(gate.all))
            const suspicious = yield* entered(gate.all, claims.claimSuspicious(kind.name), (job) =>
              Option.isSome(job) ? gate.all : 0
            )
            return { jobs: Option.toArray(suspicious), places: gate.all, isFull: false }
          })

          // Opens the latch if other jobs waited for this one to end, or if this one is tried again.
          const releaseSlot = (job: ClaimedJob, places: number, exit: Exit.Exit<unknown, unknown>) =>
            Effect.suspend(() => {
              held.delete(job.claimId)
              if (hasMore || Exit.isFailure(exit)) latch.openUnsafe()
              return gate.leave(places)
            })

          const begin = Effect.fnUntraced(function* (job: ClaimedJob, places: number) {
            const payload = yield* Effect.result(read(kind, job))
            if (Result.isFailure(payload)) {
              yield* deadLetter(job, "unreadable", payload.failure)
              yield* releaseSlot(job, places, Exit.void)
              return []
            }
            const taken: TakenJob<Payload> = {
              job,
              payload: payload.success,
              end: (exit) => Effect.ensuring(settle(job, exit, kind.retries), releaseSlot(job, places, exit))
            }
            return [taken]
          })

          // A job that cannot begin is tried again when its lock expires. The other claimed jobs begin.
          const beginOrLetGo = (job: ClaimedJob, places: number) =>
            Effect.catchDefect(begin(job, places), (defect) =>
              Effect.logWarning("A claimed job cannot begin", safeCause(Cause.die(defect))).pipe(
                Effect.andThen(releaseSlot(job, places, Exit.void)),
                Effect.as([])
              )
            )

          const look = Effect.fnUntraced(function* (most: number, interruptible: Interruptible) {
            const { isFull, jobs, places } = yield* claim(most, interruptible)
            for (const { claimId } of jobs) held.add(claimId)
            // If all wanted jobs were found, more may be due. Otherwise the rest is not due, or above its limit.
            if (hasMore && isFull) latch.openUnsafe()
            if (!isFull) debounceUntil = (yield* Clock.currentTimeMillis) + Duration.toMillis(times.debounce)
            return (yield* Effect.forEach(jobs, (job) => beginOrLetGo(job, places))).flat()
          }, Effect.withTracerEnabled(false))

          return Effect.fnUntraced(function* (most, interruptible) {
            while (true) {
              yield* interruptible(latch.await)
              const wait = debounceUntil - (yield* Clock.currentTimeMillis)
              if (wait > 0) yield* interruptible(Effect.sleep(wait))
              latch.closeUnsafe()
              const taken = yield* look(most(), interruptible).pipe(
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
