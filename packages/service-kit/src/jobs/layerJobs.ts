import { Duration, Effect, Layer } from "effect"
import { PersistedQueue } from "effect/persistence"
import { JobClaims } from "./JobClaims.ts"
import { JobPayloads } from "./JobPayloads.ts"
import { JobsRepo } from "./JobsRepo.ts"
import type { JobLockOptions } from "./keepJobLocks.ts"
import { layerScheduled } from "./layerScheduled.ts"
import { makeJobStore } from "./makeJobStore.ts"

// A completed job is kept so that its id is known when it is offered again, one that was set aside for the operator.
const layerCleanup = Layer.unwrap(
  Effect.map(PersistedQueue.PersistedQueueStore, ({ cleanup }) =>
    layerScheduled({
      name: "jobs-cleanup",
      every: "1 hour",
      perform: cleanup({ timeToLive: Duration.days(7), failedTimeToLive: Duration.days(30) })
    })
  )
)

/** The job queues of a service, with the times given, which tests change. */
export const layerJobsWith = (options: JobLockOptions) =>
  layerCleanup.pipe(
    Layer.provideMerge(PersistedQueue.layer),
    Layer.provideMerge(Layer.effect(PersistedQueue.PersistedQueueStore, makeJobStore(options))),
    Layer.provide([JobClaims.layer, JobPayloads.layer, JobsRepo.layer])
  )

/**
 * The job queues of a service, in the table that the migration `createJobs` makes. `offer` runs inside the caller's SQL
 * transaction, so a state change and its jobs commit together. Several instances share the work; a job whose process
 * ended is taken again after 30 seconds, alone, and set aside when that happened three times.
 */
export const layerJobs = layerJobsWith({
  lockExpiration: Duration.seconds(30),
  lockRefreshInterval: Duration.seconds(10),
  pollInterval: Duration.seconds(1)
})
