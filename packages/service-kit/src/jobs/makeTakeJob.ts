import { Cause, Effect, Exit, Latch, Option, Scope, Semaphore } from "effect"
import { safeCause } from "../telemetry/safeCause.ts"
import { type ClaimedJob, JobClaims } from "./JobClaims.ts"
import { JobPayloads } from "./JobPayloads.ts"
import { JobsRepo } from "./JobsRepo.ts"
import { type JobLockOptions, keepJobLocks } from "./keepJobLocks.ts"
import { MostPerOrganization } from "./MostPerOrganization.ts"
import { makeJobGate } from "./makeJobGate.ts"
import { makeSettleJob, type RetryOptions } from "./settleJob.ts"

/** A job that was taken, and what it is about. */
export interface TakenJob {
  readonly job: ClaimedJob
  readonly element: unknown
}

/**
 * Takes jobs, each until the scope of its caller closes; the exit of the scope is the outcome of the job. `nudge` lets a
 * queue be looked at now rather than after the poll interval.
 */
export const makeTakeJob = Effect.fnUntraced(function* (options: JobLockOptions) {
  const claims = yield* JobClaims
  const payloads = yield* JobPayloads
  const gate = yield* makeJobGate
  const holdLock = yield* keepJobLocks(options)
  const { setAside, settle } = makeSettleJob(yield* JobsRepo)

  // Of all who wait for a job of a queue, one looks for it.
  const queues = new Map<string, { readonly looking: Semaphore.Semaphore; readonly news: Latch.Latch }>()
  const queueOf = (name: string) => {
    const known = queues.get(name)
    if (known !== undefined) return known
    const made = { looking: Semaphore.makeUnsafe(1), news: Latch.makeUnsafe() }
    queues.set(name, made)
    return made
  }
  const nudge = (name: string) => Effect.sync(() => queueOf(name).news.openUnsafe())

  // The turn is awaited before the job is claimed, so that nothing is charged for what others do meanwhile.
  const enter = Effect.fnUntraced(function* (name: string) {
    const turn = yield* claims.nextTurn(name)
    if (turn !== "later") yield* gate[turn]
    return turn
  })

  const read = ({ id, payload, queueName }: ClaimedJob) =>
    Effect.option(Effect.try({ try: () => payloads.open(queueName, id, payload), catch: () => undefined }))

  const find = Effect.fnUntraced(function* (
    name: string,
    retryOptions: RetryOptions,
    interruptible: <A, E, R>(waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  ) {
    const turn = yield* interruptible(enter(name))
    if (turn === "later") return Option.none<TakenJob>()
    const claimed =
      turn === "alone" ? yield* claims.claimSuspicious(name) : yield* claims.claim(name, yield* MostPerOrganization)
    if (Option.isNone(claimed)) return Option.none<TakenJob>()
    const job = claimed.value
    yield* holdLock(job.claimId)
    yield* Effect.addFinalizer(() => nudge(name))
    const element = yield* read(job)
    if (Option.isNone(element)) {
      yield* setAside(job, "unreadable", "Its payload does not open")
      return Option.none<TakenJob>()
    }
    yield* Effect.addFinalizer((exit) => settle(job, exit, retryOptions))
    return Option.some<TakenJob>({ job, element: element.value })
  })

  const take = Effect.fnUntraced(function* (name: string, retryOptions: RetryOptions) {
    const scope = yield* Scope.Scope
    const { looking, news } = queueOf(name)
    const untilFound = Effect.uninterruptibleMask((interruptible) =>
      Effect.gen(function* () {
        while (true) {
          news.closeUnsafe()
          const found = yield* Effect.acquireUseRelease(
            Scope.fork(scope),
            // What is found stays in its scope until the job ends.
            (own) => find(name, retryOptions, interruptible).pipe(Effect.withTracerEnabled(false), Scope.provide(own)),
            (own, exit) =>
              Exit.isSuccess(exit) && Option.isSome(exit.value) ? Effect.void : Scope.close(own, Exit.void)
          ).pipe(
            // Not of the whole cause: an interruption would be caught, too, because it arrives in here.
            Effect.catch((error) =>
              Effect.as(Effect.logWarning("No job can be taken", safeCause(Cause.fail(error))), Option.none<TakenJob>())
            )
          )
          if (Option.isSome(found)) return found.value
          yield* interruptible(Effect.raceFirst(Effect.sleep(options.pollInterval), news.await))
        }
      })
    )
    return yield* looking.withPermit(untilFound)
  })

  return { take, nudge }
})
