import { CaseId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/** Assigns a case that opened. The job is committed with the opening, and cancelled with the case. */
export class AssignmentJobs extends Job.make<AssignmentJobs>()("assignment", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, caseId: CaseId }),
  retries: Job.forThreeDays,
  cancelledWith: ({ caseId }) => caseId,
  concurrency: 24,
  // Leaves slots for other organizations.
  perOrganization: 16
}) {}
