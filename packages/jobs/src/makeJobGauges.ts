import { Effect, Metric } from "effect"
import { JobWakeUp } from "./JobWakeUp.ts"
import { makeListedJobsRepo } from "./ListedJobsRepo.ts"

const jobs = Metric.gauge("jobs", {
  description: "Jobs that are not done, by queue and state, at most 100,000"
})

const oldestPending = Metric.gauge("jobs_oldest_pending_age_seconds", {
  description: "Age of the oldest pending job"
})

const states = ["pending", "running", "failed"] as const

/** Makes the measure of a service's queues: pending, running and dead-lettered jobs of all its processes together. */
export const makeJobGauges = Effect.gen(function* () {
  const wakeUp = yield* JobWakeUp
  const repo = yield* makeListedJobsRepo

  return Effect.gen(function* () {
    const rows = yield* repo.counts
    for (const queue of new Set([...wakeUp.queues(), ...rows.map((row) => row.queue)])) {
      for (const state of states) {
        const row = rows.find((row) => row.queue === queue && row.state === state)
        yield* Metric.update(Metric.withAttributes(jobs, { queue, state }), row?.count ?? 0)
        if (state === "pending") {
          yield* Metric.update(Metric.withAttributes(oldestPending, { queue }), row?.oldestSeconds ?? 0)
        }
      }
    }
  })
})
