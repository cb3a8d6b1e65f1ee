import { Layer } from "effect"
import { JobNews } from "../JobNews.ts"
import { JobOffers } from "../JobOffers.ts"

/** Job queues of the database that nobody works off, for tests that have the time jump. */
export const layerIdleJobs = JobOffers.layer.pipe(Layer.provide(JobNews.layer))
