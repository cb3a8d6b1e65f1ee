import { Layer } from "effect"
import { PersistedQueue } from "effect/persistence"

/**
 * The job queue of a service, in its own schema. `offer` runs inside the caller's SQL transaction, so a state change and
 * its jobs commit together; several instances share the work, and a job of a killed instance is taken again by another
 * after 30 seconds.
 */
export const layerJobs = PersistedQueue.layer.pipe(
  Layer.provideMerge(PersistedQueue.layerCleanup({ timeToLive: "7 days" })),
  Layer.provideMerge(
    PersistedQueue.layerStoreSql({ tableName: "jobs", lockRefreshInterval: "10 seconds", lockExpiration: "30 seconds" })
  )
)
