import { CaseId, OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/** Tells the services that follow cases how they stand, committed with the moves of them. */
export class CaseReplication extends Job.make<CaseReplication>()("case-replication", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, caseIds: Schema.Array(CaseId) }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {}
