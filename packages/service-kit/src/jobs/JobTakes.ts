import { Cause, Context, Effect, Exit, Layer, Option, Result, Scope, Semaphore } from "effect"
import { safeCause } from "../telemetry/safeCause.ts"
import { type ClaimedJob, makeJobClaims } from "./JobClaims.ts"
import type { JobKind } from "./JobKind.ts"
import { JobNews } from "./JobNews.ts"
import type { JobTimes } from "./JobTimes.ts"
import { keepJobLocks } from "./keepJobLocks.ts"
import { makeJobGate } from "./makeJobGate.ts"
import { makeReadPayload } from "./makeReadPayload.ts"
import { makeSettleJob } from "./makeSettleJob.ts"

interface TakenJob<Payload> {
  readonly job: ClaimedJob
  readonly payload: Payload
}

interface Queue<Payload> {
  readonly kind: JobKind<Payload>
  /** What the last look said: while nothing waits there is no need for another, until something is offered. */
  readonly waiting: { hasMore: boolean }
}

type Interruptible = <A, E, R>(waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Takes jobs, each until the scope of its caller closes; the exit of the scope is the outcome of the job. */
export class JobTakes extends Context.Service<
  JobTakes,
  {
    /** Takes a job of the kind when there is one. Of all who wait for the same effect, one looks. */
    readonly takeFrom: <Payload>(kind: JobKind<Payload>) => Effect.Effect<TakenJob<Payload>, never, Scope.Scope>
  }
>()("@care/service-kit/jobs/JobTakes") {
  static readonly layerWith = (times: JobTimes) =>
    Layer.effect(
      JobTakes,
      Effect.gen(function* () {
        const claims = yield* makeJobClaims
        const gate = yield* makeJobGate
        const holdLock = yield* keepJobLocks(claims, times)
        const news = yield* JobNews
        const read = yield* makeReadPayload
        const { setAside, settle } = yield* makeSettleJob(times.firstRetry)

        // The place is awaited before the job is claimed, so that nothing is charged for what others do meanwhile. Most jobs
        // run beside others, so that place is taken before it is known; who has to be alone gives it back first.
        const claim = Effect.fnUntraced(function* <Payload>(
          { kind, waiting }: Queue<Payload>,
          interruptible: Interruptible
        ) {
          const place = yield* Scope.fork(yield* Effect.scope)
          yield* interruptible(Scope.provide(gate.beside, place))
          const { hasMore, job, turn } = yield* claims.claim(kind.name, kind.perOrganization, kind.isCountedExactly)
          waiting.hasMore = hasMore || turn !== "beside"
          if (turn === "beside") return job
          yield* Scope.close(place, Exit.void)
          if (turn === "later") return Option.none<ClaimedJob>()
          yield* interruptible(gate.alone)
          return yield* claims.claimSuspicious(kind.name)
        })

        const find = Effect.fnUntraced(function* <Payload>(queue: Queue<Payload>, interruptible: Interruptible) {
          const { kind, waiting } = queue
          const claimed = yield* claim(queue, interruptible)
          if (Option.isNone(claimed)) return Option.none<TakenJob<Payload>>()
          const job = claimed.value
          yield* holdLock(job.claimId)
          if (waiting.hasMore) yield* news.tell(kind.name)
          // What the end of this job makes room for, or leaves to be done again.
          yield* Effect.addFinalizer((exit) =>
            Effect.suspend(() => (waiting.hasMore || Exit.isFailure(exit) ? news.tell(kind.name) : Effect.void))
          )
          const payload = yield* Effect.result(read(kind, job))
          if (Result.isFailure(payload)) {
            yield* setAside(job, "unreadable", payload.failure)
            return Option.none<TakenJob<Payload>>()
          }
          yield* Effect.addFinalizer((exit) => settle(job, exit, kind.attempts))
          return Option.some<TakenJob<Payload>>({ job, payload: payload.success })
        })

        const untilFound = Effect.fnUntraced(function* <Payload>(
          queue: Queue<Payload>,
          scope: Scope.Scope,
          interruptible: Interruptible
        ) {
          const latch = news.of(queue.kind.name)
          while (true) {
            yield* interruptible(Effect.raceFirst(Effect.sleep(times.pollInterval), latch.await))
            latch.closeUnsafe()
            const found = yield* Effect.acquireUseRelease(
              Scope.fork(scope),
              // What is found stays in its scope until the job ends.
              (own) => find(queue, interruptible).pipe(Effect.withTracerEnabled(false), Scope.provide(own)),
              (own, exit) =>
                Exit.isSuccess(exit) && Option.isSome(exit.value) ? Effect.void : Scope.close(own, Exit.void)
            ).pipe(
              // Not of the whole cause: an interruption would be caught, too, because it arrives in here.
              Effect.catchDefect((defect) =>
                Effect.as(
                  Effect.logWarning("No job can be taken", safeCause(Cause.die(defect))),
                  Option.none<TakenJob<Payload>>()
                )
              )
            )
            if (Option.isSome(found)) return found.value
          }
        })

        return JobTakes.of({
          takeFrom: (kind) => {
            const looking = Semaphore.makeUnsafe(1)
            const queue = { kind, waiting: { hasMore: true } }
            return Effect.flatMap(Effect.scope, (scope) =>
              looking.withPermit(Effect.uninterruptibleMask((interruptible) => untilFound(queue, scope, interruptible)))
            )
          }
        })
      })
    )
}
