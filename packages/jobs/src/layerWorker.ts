import { OrganizationId } from "@care/domain/ids"
import { asJob, CurrentQueue, RequestId, safeCause, Time } from "@care/service-kit"
import { Cause, Effect, Latch, Layer, Option, Schedule, Scope } from "effect"
import { Headers, HttpTraceContext } from "effect/http"
import type { ClaimedJob } from "./JobClaims.ts"
import type { JobKind } from "./JobKind.ts"
import { JobTakes, type TakenJob } from "./JobTakes.ts"
import { isCancelled, jobAnnotations } from "./jobOutcomes.ts"
import { failuresOf, isLastTry } from "./RetryPolicy.ts"

/** An attempt at a job. `isAlone`: its process ended at an earlier one, so that no other job of this process runs beside it. */
export interface JobAttempt {
  readonly isAlone: boolean
  readonly isLast: boolean
  readonly isRetry: boolean
}

/** Does one job. It must be idempotent. A failure is tried again, with the same `id`, unless it is `JobCancelled` or `GivenUp`. */
export type Perform<Payload, E, R> = (payload: Payload, id: string, attempt: JobAttempt) => Effect.Effect<unknown, E, R>

// A job that hangs would keep its slot for ever, and a job that has to run alone would wait for it.
const maxDuration = "2 minutes"

// The span of the request that offered the job.
const parentOf = ({ traceparent }: ClaimedJob) =>
  Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput({ traceparent: traceparent ?? undefined })))

const testOrganizationOf = ({ aheadMillis, organizationId, resets }: ClaimedJob) =>
  aheadMillis === null || resets === null
    ? undefined
    : { organizationId: OrganizationId.make(organizationId), aheadMillis, resets }

/** Runs the jobs of one kind in the background. It claims as many at a time as it has free slots. Payloads are never logged. */
export const layerWorker = <Payload, E, R>(kind: JobKind<Payload>, perform: Perform<Payload, E, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const take = (yield* JobTakes).takeFrom(kind)
      // Closes after the claiming has stopped: otherwise jobs claimed meanwhile would not run.
      const jobs = yield* Scope.fork(yield* Effect.scope, "parallel")
      const hasRoom = Latch.makeUnsafe(true)
      let free = kind.concurrency

      const leave = Effect.sync(() => {
        free += 1
        hasRoom.openUnsafe()
      })

      const attemptOf = (job: ClaimedJob): JobAttempt => ({
        isLast: isLastTry(job, kind.retries),
        isRetry: failuresOf(job) > 1,
        isAlone: job.crashes > 0
      })

      const work = ({ end, job, payload }: TakenJob<Payload>) =>
        perform(payload, job.id, attemptOf(job)).pipe(
          Effect.timeout(maxDuration),
          // A stopping process does not get here, so the work interrupted itself. That counts as a failure: otherwise the job
          // would be retried without a pause, for ever.
          Effect.catchCauseIf(Cause.hasInterruptsOnly, () => Effect.die(new Error("The work interrupted itself"))),
          Effect.tapCause((cause) => {
            const cancelled = Option.filter(Cause.findErrorOption(cause), isCancelled)
            return Option.isSome(cancelled)
              ? Effect.logInfo(`Job cancelled: ${cancelled.value.reason}`)
              : Effect.logWarning(`Job failed, attempt ${job.attempts}`, safeCause(cause))
          }),
          Effect.annotateLogs(jobAnnotations(job)),
          Effect.withSpan(`job ${kind.name}`, { kind: "consumer", parent: parentOf(job) }),
          Effect.provideService(RequestId, job.requestId),
          Effect.provideService(CurrentQueue, kind.name),
          Effect.provideService(Time.TestOrganization, testOrganizationOf(job)),
          Effect.interruptible,
          Effect.exit,
          Effect.flatMap(end),
          Effect.ensuring(leave)
        )

      const claimAndStart = Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (interruptible) {
          yield* interruptible(hasRoom.await)
          for (const taken of yield* take(() => free, interruptible)) {
            free -= 1
            if (free === 0) hasRoom.closeUnsafe()
            yield* Effect.forkIn(work(taken), jobs, { uninterruptible: "inherit" })
          }
        })
      ).pipe(
        asJob,
        Effect.catchCause(() => Effect.sleep("250 millis"))
      )
      yield* Effect.repeat(claimAndStart, Schedule.forever).pipe(Effect.interruptible, Effect.forkScoped)
    })
  )
