import { Job } from "@care/jobs"
import { Effect, Option } from "effect"
import { Assignment } from "./Assignment.ts"
import { ProviderPage, pagesOf } from "./providerPages.ts"

/**
 * A provider joined, or changed: all cases of the organization that wait are tried again, oldest first, a page after the other. Each page
 * is a job of its own, so that other organizations have their turns in between, and a walk goes on where its process ended.
 */
export class AssignmentSweeps extends Job.make<AssignmentSweeps>()("assignment-sweep", {
  version: 1,
  schema: ProviderPage,
  retries: Job.forThreeDays,
  concurrency: 2,
  perOrganization: 1
}) {
  /** How to begin the walk of a provider: once for each version of them, however often it is asked for. */
  static readonly makeBegin = Effect.map(AssignmentSweeps, (walks) => pagesOf(walks).begin)

  static readonly layerWorker = AssignmentSweeps.worker(
    Effect.gen(function* () {
      const { assignPage } = yield* Assignment
      const { goOn } = pagesOf(yield* AssignmentSweeps)
      return Effect.fnUntraced(function* (page: ProviderPage) {
        const next = yield* assignPage(page.organizationId, page.after)
        if (Option.isSome(next)) yield* goOn(page, next.value)
      })
    })
  )
}
