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

/** Internal: the jobs of one service, for the gateway. */
class OwnJobsApi extends HttpApiGroup.make("ownJobs")
  .add(
    // Newest first. The gateway asks for one more than its page shows.
    HttpApiEndpoint.get("list", "/internal/v1/jobs", {
      query: { ...JobsQuery, limit: Schema.FiniteFromString.check(Schema.isInt()) },
      success: Schema.Array(ServiceJob)
    }),
    // A retry whose answer was lost is answered with `JobNotFailed` the second time.
    HttpApiEndpoint.post("retry", "/internal/v1/jobs/:jobId/retry", {
      params: { jobId: JobId },
      success: ServiceJob,
      error: [JobNotFound.pipe(HttpApiSchema.status(404)), JobNotFailed.pipe(HttpApiSchema.status(409))]
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's jobs, beside its own API. */
export const ownJobsApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnJobsApi)
