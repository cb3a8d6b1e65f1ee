import { Job } from "@care/jobs"
import { Effect, Layer, Option } from "effect"
import { Assignment } from "./Assignment.ts"
import { AssignmentJobs } from "./AssignmentJobs.ts"
import { AssignmentSweeps } from "./AssignmentSweeps.ts"
import { type ProviderPage, pagesOf } from "./providerPages.ts"

const layerJobs = AssignmentJobs.worker(
  Effect.gen(function* () {
    const { assign } = yield* Assignment
    return ({ caseId, organizationId }) =>
      assign(organizationId, caseId).pipe(
        Effect.catchTag("CaseClosed", () => new Job.JobCancelled({ reason: "The case is closed" }))
      )
  })
)

const layerSweeps = AssignmentSweeps.worker(
  Effect.gen(function* () {
    const { assignPage } = yield* Assignment
    const { offerNext } = pagesOf(yield* AssignmentSweeps)
    return Effect.fnUntraced(function* (page: ProviderPage) {
      const next = yield* assignPage(page.organizationId, page.after)
      if (Option.isSome(next)) yield* offerNext(page, next.value)
    })
  })
)

/** The workers of the jobs that assign cases. They have a file of their own, because the services that they call import the jobs. */
export const layerAssignmentWorkers = Layer.merge(layerJobs, layerSweeps)
