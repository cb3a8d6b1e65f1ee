import { Job } from "@care/jobs"
import { Effect } from "effect"
import { ProviderPage, pagesOf } from "./providerPages.ts"

/**
 * A provider joined, or changed: all cases of the organization that wait are tried again, oldest first, a page after the other. Each page
 * is a job of its own, so that other organizations have their turns in between, and a sweep goes on where its process ended.
 */
export class AssignmentSweeps extends Job.make<AssignmentSweeps>()("assignment-sweep", {
  version: 1,
  schema: ProviderPage,
  retries: Job.forThreeDays,
  concurrency: 2,
  perOrganization: 1
}) {
  /** How to begin the sweep for a provider: once for each version of them, however often it is asked for. */
  static readonly makeBegin = Effect.map(AssignmentSweeps, (sweeps) => pagesOf(sweeps).begin)
}
