import { Job } from "@care/jobs"
import { Effect } from "effect"
import { ProviderPage, pagesOf } from "./providerPages.ts"

/**
 * Assigns all waiting cases of an organization when a provider joined or changed, oldest first. Each page is a job of its own, so that
 * other organizations get their turns, and a sweep resumes after a crash.
 */
export class AssignmentSweeps extends Job.make<AssignmentSweeps>()("assignment-sweep", {
  version: 1,
  schema: ProviderPage,
  retries: Job.forThreeDays,
  concurrency: 2,
  perOrganization: 1
}) {
  /** Returns the function that begins a sweep, once for each version of the provider. */
  static readonly makeBegin = Effect.map(AssignmentSweeps, (sweeps) => pagesOf(sweeps).begin)
}
