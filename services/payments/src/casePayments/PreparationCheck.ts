import { CaseId, OrganizationId, PreparationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/**
 * Checks a prepared payment later, because a creation that crashed has left it. It is committed with the preparation.
 */
export class PreparationCheck extends Job.make<PreparationCheck>()("preparation-check", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, caseId: CaseId, preparationId: PreparationId }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {
  /** Ten times the longest creation: by then the case is stored, or never will be. */
  static readonly delay = "10 minutes"
}
