import { OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Has all services erase a patient, until each has answered. One job is committed with the erasure, and a second that is due minutes
 * later, when all requests and jobs of the time of the erasure have ended.
 */
export class ErasurePropagation extends Job.make<ErasurePropagation>()("patient-erasure", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {}
