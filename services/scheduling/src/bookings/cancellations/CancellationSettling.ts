import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Goes on with a cancellation that the provider was asked for, if nobody knows by then what became of it. It is committed with
 * the cancellation, before the provider is asked, and ends with it.
 */
export class CancellationSettling extends Job.make<CancellationSettling>()("cancellation", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, cancellationId: Schema.String }),
  retries: Job.forThreeDays,
  concurrency: 2,
  cancelledWith: ({ cancellationId }) => cancellationId
}) {}
