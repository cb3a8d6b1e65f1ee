import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { CellsCursor, PageQuery, pageWith } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { textUpTo } from "../http/Text.ts"
import { JobId } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"
import { Job, JobNotFailed, JobNotFound, JobState, ServiceJob } from "./Job.ts"

const filters = { state: Schema.optionalKey(JobState), queue: Schema.optionalKey(textUpTo(lengths.name)) }

/** The filters of jobs: a state, and a queue. */
export const JobsQuery = { ...filters, limit: PageQuery.limit, cursor: Schema.optionalKey(CellsCursor) }
export type JobsQuery = Schema.Struct.Type<typeof JobsQuery>

export class JobsApi extends HttpApiGroup.make("jobs")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/jobs", {
      query: JobsQuery,
      success: pageWith(Job, CellsCursor),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List jobs")
      .annotate(
        OpenApi.Description,
        "List the jobs of all services, newest first. Jobs that are done or cancelled are stored for 7 days, and dead-lettered jobs for 30 days."
      ),
    HttpApiEndpoint.post("retry", "/admin/v1/jobs/:jobId/retry", {
      params: { jobId: JobId },
      success: Job,
      error: [
        ...operatorErrors,
        problem(JobNotFound, 404, "Job not found", ({ jobId }) => `No job has the id ${jobId}.`),
        problem(
          JobNotFailed,
          409,
          "The job did not fail",
          ({ jobId, state }) => `The job ${jobId} is ${state}; only one that failed is repeated.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Repeat a job")
      .annotate(OpenApi.Description, "Repeat a dead-lettered job at once, with all its attempts.")
  )
  .annotate(OpenApi.Title, "Admin: jobs")
  .annotate(OpenApi.Description, "Background work and its results.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

/** Internal: the jobs of one service, for the gateway. */
class OwnJobsApi extends HttpApiGroup.make("ownJobs")
  .add(
    // Newest first. The gateway requests one more than its page shows.
    HttpApiEndpoint.get("list", "/internal/v1/jobs", {
      query: { ...PageQuery, ...filters, limit: Schema.FiniteFromString.check(Schema.isInt()) },
      success: Schema.Array(ServiceJob)
    }).annotate(StandbyRead, standbyReads.jobs),
    // A retry whose answer was lost is answered with `JobNotFailed` the second time.
    HttpApiEndpoint.post("retry", "/internal/v1/jobs/:jobId/retry", {
      params: { jobId: JobId },
      success: ServiceJob,
      error: [JobNotFound.pipe(HttpApiSchema.status(404)), JobNotFailed.pipe(HttpApiSchema.status(409))]
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's jobs, next to its own API. */
export const ownJobsApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnJobsApi)
