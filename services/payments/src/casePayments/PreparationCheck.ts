import { CaseId, OrganizationId, PreparationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Schema } from "effect"

/** Checks a prepared payment later, in case the creation of its case crashed. The job is committed with the preparation. */
export class PreparationCheck extends Job.make<PreparationCheck>()("preparation-check", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, caseId: CaseId, preparationId: PreparationId }),
  retries: Job.forThreeDays,
  concurrency: 2
}) {
  /** Ten times the longest creation of a case. By then the case is stored, or never will be. */
  static readonly delay = "10 minutes"
}
