import { OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Tells all services that a patient was erased, until they have all done their part. It is committed with the erasure, and once
 * more for minutes later, when whatever was under way then has ended.
 */
export class ErasurePropagation extends Job.make<ErasurePropagation>()("patient-erasure", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {}
