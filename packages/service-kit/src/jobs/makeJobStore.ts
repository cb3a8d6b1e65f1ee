import { Duration, Effect, Predicate } from "effect"
import { PersistedQueue } from "effect/persistence"
import type { SqlError } from "effect/sql"
import { JobPayloads } from "./JobPayloads.ts"
import { JobsRepo } from "./JobsRepo.ts"
import type { JobLockOptions } from "./keepJobLocks.ts"
import { makeTakeJob } from "./makeTakeJob.ts"

const batch = 1000

const nobody = "00000000-0000-0000-0000-000000000000"

const organizationOf = (element: unknown): string =>
  Predicate.hasProperty(element, "organizationId") && Predicate.isString(element.organizationId)
    ? element.organizationId
    : nobody

const failingWith = (message: string) =>
  Effect.mapError((cause: SqlError.SqlError) => new PersistedQueue.PersistedQueueError({ message, cause }))

/** Queues in the table `jobs` of a service. A payload's `organizationId` is whose turn its job takes. */
export const makeJobStore = Effect.fnUntraced(function* (options: JobLockOptions) {
  const payloads = yield* JobPayloads
  const repo = yield* JobsRepo
  const { nudge, take } = yield* makeTakeJob(options)

  return PersistedQueue.PersistedQueueStore.of({
    offer: ({ delay, element, id, name }) =>
      Effect.suspend(() =>
        repo.insert({
          queueName: name,
          id,
          organizationId: organizationOf(element),
          payload: payloads.seal(name, id, element),
          delay: delay ?? Duration.zero
        })
      ).pipe(failingWith("The job was not offered"), Effect.andThen(nudge(name))),
    take: ({ name, ...retryOptions }) =>
      Effect.map(take(name, retryOptions), ({ element, job }) => ({ id: job.id, attempts: job.attempts, element })),
    cleanup: ({ failedTimeToLive, timeToLive }) =>
      Effect.gen(function* () {
        const removeAll = (state: "completed" | "failed", age: Duration.Duration) =>
          repo.remove(state, age, batch).pipe(Effect.repeat({ while: (removed) => removed === batch }))
        yield* removeAll("completed", timeToLive)
        if (failedTimeToLive !== undefined) yield* removeAll("failed", failedTimeToLive)
      }).pipe(failingWith("Old jobs were not removed"))
  })
})
