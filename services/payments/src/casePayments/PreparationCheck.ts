import { CaseId, OrganizationId, PreparationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Looks later what became of a payment that was prepared: a creation that died has left it. It is committed with the
 * preparation.
 */
export class PreparationCheck extends Job.make<PreparationCheck>()("preparation-check", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, caseId: CaseId, preparationId: PreparationId }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {
  /** Ten times as long as a creation may take: whatever is looked at then is stored, or never will be. */
  static readonly delay = "10 minutes"
}
