import { CaseId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Effect, Schema } from "effect"
import { Assignment } from "./Assignment.ts"

/** Automatic assignment as jobs: each is committed with the case that became open, and ends with it. */
export class AssignmentJobs extends Job.make<AssignmentJobs>()("assignment", {
  version: 2,
  schema: Schema.Struct({ organizationId: OrganizationId, caseId: CaseId }),
  retries: Job.forThreeDays,
  endsWith: ({ caseId }) => caseId,
  concurrency: 24,
  // Whatever the cases of one organization wait for, a place is left for another's.
  perOrganization: 16
}) {
  static readonly layerWorker = AssignmentJobs.worker(
    Effect.gen(function* () {
      const { assign } = yield* Assignment
      return ({ caseId, organizationId }, _, ending) =>
        assign(organizationId, caseId, ending).pipe(
          Effect.map((isEnded) => (isEnded ? Job.jobEnded : undefined)),
          Effect.catchTag("CaseClosed", () => new Job.JobCancelled({ reason: "The case is closed" }))
        )
    })
  )
}
