import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/** Tells the other services whether an organization is disabled, committed with the change of it. */
export class OrganizationReplication extends Job.make<OrganizationReplication>()("organization-replication", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {}
