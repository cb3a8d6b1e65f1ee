import { JobNotFailed, JobNotFound, ownJobsApi } from "@care/domain/jobs"
import type { ServiceName } from "@care/domain/peers"
import { newest } from "@care/service-kit"
import { Effect, Layer, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { JobWakeUp } from "./JobWakeUp.ts"
import { makeListedJobsRepo } from "./ListedJobsRepo.ts"

/** Answers the gateway's calls about the jobs of a service. */
export const layerJobsApi = (service: ServiceName) => {
  const api = ownJobsApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownJobs",
    Effect.fnUntraced(function* (handlers) {
      const repo = yield* makeListedJobsRepo
      const wakeUp = yield* JobWakeUp

      return handlers.handleAll({
        list: ({ query: { cursor = newest, limit, ...wanted } }) => repo.page(wanted, cursor, limit),
        retry: Effect.fnUntraced(function* ({ params: { jobId } }) {
          const retried = yield* repo.retry(jobId)
          if (Option.isNone(retried)) {
            const found = yield* repo.find(jobId)
            if (Option.isNone(found)) return yield* new JobNotFound({ jobId })
            return yield* new JobNotFailed({ jobId, state: found.value.state })
          }
          yield* wakeUp.tell(retried.value.queue)
          return retried.value
        })
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}
