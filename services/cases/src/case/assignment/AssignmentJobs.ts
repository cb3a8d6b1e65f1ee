import { CaseId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/** Automatic assignment as jobs: each is committed with the case that became open, and ends with it. */
export class AssignmentJobs extends Job.make<AssignmentJobs>()("assignment", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, caseId: CaseId }),
  retries: Job.forThreeDays,
  cancelledWith: ({ caseId }) => caseId,
  concurrency: 24,
  // Whatever the cases of one organization wait for, a place is left for another's.
  perOrganization: 16
}) {}
