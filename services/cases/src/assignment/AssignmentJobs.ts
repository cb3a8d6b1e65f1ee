import { CaseId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { Assignment } from "./Assignment.ts"

/** Automatic assignment as jobs: committed with the case that became open, or asked for when a provider joins. */
export class AssignmentJobs extends Job.make<AssignmentJobs>()("assignment", {
  version: 1,
  schema: Schema.Struct({
    organizationId: OrganizationId,
    /** One case that became open; null for all that wait, because a provider joined. */
    caseId: Schema.NullOr(CaseId)
  }),
  attempts: 50,
  concurrency: 4
}) {
  static readonly layerWorker = AssignmentJobs.worker(
    Effect.map(
      Assignment,
      ({ assign, assignWaiting }) =>
        ({ caseId, organizationId }) =>
          caseId === null ? assignWaiting(organizationId) : assign(organizationId, caseId)
    )
  )
}
