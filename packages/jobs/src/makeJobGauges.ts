import { Effect, Metric } from "effect"
import { JobWakeUp } from "./JobWakeUp.ts"
import { makeListedJobsRepo } from "./ListedJobsRepo.ts"

const jobs = Metric.gauge("jobs", {
  description: "Jobs that are not done, by queue and state; more than 100,000 are not counted"
})

const oldestPending = Metric.gauge("jobs_oldest_pending_age_seconds", {
  description: "How long ago the oldest job was offered that still waits"
})

const states = ["pending", "running", "failed"] as const

/** Measures the queues of a service: how many jobs wait, are under way and were dead-lettered, of all its processes together. */
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
