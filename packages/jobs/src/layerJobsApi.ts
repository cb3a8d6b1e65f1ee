import { Mode } from "@care/domain/auth"
import { JobNotFailed, JobNotFound, ownJobsApi } from "@care/domain/jobs"
import type { ServiceName } from "@care/domain/peers"
import { newest } from "@care/service-kit"
import { Effect, Layer, Metric, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { JobWakeUp } from "./JobWakeUp.ts"
import { makeListedJobsRepo } from "./ListedJobsRepo.ts"

export const layerJobsApi = (service: ServiceName) => {
  const api = ownJobsApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownJobs",
    Effect.fnUntraced(function* (handlers) {
      const repo = yield* makeListedJobsRepo
      const wakeUp = yield* JobWakeUp

      return handlers.handleAll({
        list: ({ query: { cursor = newest, limit, ...filter } }) => repo.page(filter, cursor, limit),
        retry: Effect.fnUntraced(function* ({ params: { jobId } }) {
          const retried = yield* repo.retry(jobId)
          if (Option.isNone(retried)) {
            const found = yield* repo.find(jobId)
            if (Option.isNone(found)) return yield* new JobNotFound({ jobId })
            return yield* new JobNotFailed({ jobId, state: found.value.state })
          }
          yield* wakeUp.wake(retried.value.queue)
          return retried.value
        })
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}

const jobs = Metric.gauge("jobs", {
  description: "Jobs that are not done, by mode, queue and state, at most 100,000"
})

const overdue = Metric.gauge("jobs_overdue_seconds", {
  description: "For how long the pending job that was due first has been due"
})

const states = ["pending", "running", "failed"] as const

/** Makes the effect that updates the gauges of a service's queues: pending, running and dead-lettered jobs of all its processes. */
export const makeJobGauges = Effect.gen(function* () {
  const wakeUp = yield* JobWakeUp
  const repo = yield* makeListedJobsRepo

  return Effect.gen(function* () {
    const rows = yield* repo.counts
    for (const queue of new Set([...wakeUp.queues(), ...rows.map((row) => row.queue)])) {
      for (const mode of Mode.literals) {
        for (const state of states) {
          const row = rows.find((row) => row.queue === queue && row.state === state && row.mode === mode)
          yield* Metric.update(Metric.withAttributes(jobs, { mode, queue, state }), row?.count ?? 0)
          if (state === "pending") {
            yield* Metric.update(Metric.withAttributes(overdue, { mode, queue }), Math.max(0, row?.overdueSeconds ?? 0))
          }
        }
      }
    }
  })
})
