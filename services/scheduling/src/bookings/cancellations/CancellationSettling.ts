import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Continues a cancellation whose outcome at the provider is unknown. The job is committed with the cancellation, before the provider is
 * called, and is cancelled with it.
 */
export class CancellationSettling extends Job.make<CancellationSettling>()("cancellation", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, cancellationId: Schema.String }),
  retries: Job.forThreeDays,
  concurrency: 2,
  cancelledWith: ({ cancellationId }) => cancellationId
}) {}
