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

/** A job that this process has, until it is told how it ended. */
export interface TakenJob<Payload> {
  readonly job: ClaimedJob
  readonly payload: Payload
  /** Stores the outcome of the work, and lets go of the job. */
  readonly end: (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void>
}

type Interruptible = <A, E, R>(waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Takes jobs of one kind when there are some, as many as are wanted then. For where nothing is interrupted, or jobs that
 * were taken would be lost: only the waiting is, by `interruptible`.
 */
type Take<Payload> = (
  most: () => number,
  interruptible: Interruptible
) => Effect.Effect<ReadonlyArray<TakenJob<Payload>>>

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
        const { setAside, settle } = yield* makeSettleJob(times.firstRetry)

        // What other processes offered, and what has become due.
        yield* Effect.suspend(() => claims.waiting(wakeUp.queues())).pipe(
          Effect.flatMap((found) =>
            Effect.forEach(found, ({ queueName }) => wakeUp.tell(queueName), { discard: true })
          ),
          Effect.catchCause((cause) => Effect.logWarning("No job can be found", safeCause(cause))),
          Effect.withTracerEnabled(false),
          Effect.repeat(Schedule.spaced(times.pollInterval)),
          Effect.interruptible,
          Effect.forkScoped
        )

        const entered = <A>(places: number, claim: Effect.Effect<A>, used: (claimed: A) => number) =>
          Effect.onExit(claim, (exit) => gate.leave(places - (Exit.isSuccess(exit) ? used(exit.value) : 0)))

        const takeFrom = <Payload>(kind: JobKind<Payload>): Take<Payload> => {
          const latch = wakeUp.of(kind.name)
          // What the last look said: while nothing waits there is no need for another, until something is offered.
          let hasMore = true
          // Jobs that come one after the other are let come together: a look costs as much for one as for several.
          let debounceUntil = 0

          // Places are awaited before jobs are claimed, so that nothing is charged for what others do meanwhile. Most jobs
          // run beside others, so such places are taken before it is known; who has to be alone gives them back first.
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

          // What the end of this job makes room for, or leaves to be done again.
          const releaseSlot = (job: ClaimedJob, places: number, exit: Exit.Exit<unknown, unknown>) =>
            Effect.suspend(() => {
              held.delete(job.claimId)
              if (hasMore || Exit.isFailure(exit)) latch.openUnsafe()
              return gate.leave(places)
            })

          const begin = Effect.fnUntraced(function* (job: ClaimedJob, places: number) {
            const payload = yield* Effect.result(read(kind, job))
            if (Result.isFailure(payload)) {
              yield* setAside(job, "unreadable", payload.failure)
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

          // One that cannot begin is left to its lock, and the others are not.
          const beginOrLetGo = (job: ClaimedJob, places: number) =>
            Effect.catchDefect(begin(job, places), (defect) =>
              Effect.logWarning("A job cannot begin", safeCause(Cause.die(defect))).pipe(
                Effect.andThen(releaseSlot(job, places, Exit.void)),
                Effect.as([])
              )
            )

          const look = Effect.fnUntraced(function* (most: number, interruptible: Interruptible) {
            const { isFull, jobs, places } = yield* claim(most, interruptible)
            for (const { claimId } of jobs) held.add(claimId)
            // Those that are left may have been left for want of places; otherwise they wait for their time or their turn.
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
                // Not of the whole cause: an interruption would be caught, too, because it arrives in here.
                Effect.catchDefect((defect) =>
                  Effect.as(Effect.logWarning("No job can be taken", safeCause(Cause.die(defect))), [])
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
