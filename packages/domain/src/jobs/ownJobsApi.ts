import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { JobId } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"
import { JobNotFailed, JobNotFound, ServiceJob } from "./Job.ts"
import { JobsQuery } from "./JobsApi.ts"

/** Internal: what the gateway asks every service about its jobs. */
class OwnJobsApi extends HttpApiGroup.make("ownJobs")
  .add(
    // Newest first. A page of the gateway asks for one more than it shows.
    HttpApiEndpoint.get("list", "/internal/v1/jobs", {
      query: { ...JobsQuery, limit: Schema.FiniteFromString.check(Schema.isInt()) },
      success: Schema.Array(ServiceJob)
    }),
    // Who asks again because the answer was lost is told that the job has not failed any more.
    HttpApiEndpoint.post("retry", "/internal/v1/jobs/:jobId/retry", {
      params: { jobId: JobId },
      success: ServiceJob,
      error: [JobNotFound.pipe(HttpApiSchema.status(404)), JobNotFailed.pipe(HttpApiSchema.status(409))]
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** What a service answers beside its own API. */
export const ownJobsApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnJobsApi)
