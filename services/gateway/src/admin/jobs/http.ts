import { GatewayApi } from "@care/domain/gateway"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Jobs } from "./Jobs.ts"

export const JobsHandlers = HttpApiBuilder.group(
  GatewayApi,
  "jobs",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* Jobs
    return handlers.handleAll({
      list: ({ query }) => jobs.list(query),
      retry: ({ params }) => jobs.retry(params.jobId)
    })
  })
)
