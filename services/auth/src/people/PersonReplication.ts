import { OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/** Tells the other services how somebody is shown, committed with the change of it. */
export class PersonReplication extends Job.make<PersonReplication>()("person-replication", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {}
