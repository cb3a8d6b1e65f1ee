import { CaseId, OrganizationId } from "@care/domain"
import { layerWorker } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"
import { Assignment } from "./Assignment.ts"

const Job = Schema.Struct({
  organizationId: OrganizationId,
  /** One case that became open; null for all that wait, because a provider joined. */
  caseId: Schema.NullOr(CaseId)
})

/** Automatic assignment as jobs: committed with the case that became open, or asked for when a provider joins. */
export class AssignmentJobs extends Context.Service<AssignmentJobs, PersistedQueue.PersistedQueue<typeof Job.Type>>()(
  "@care/cases/assignment/AssignmentJobs"
) {
  static readonly layer = Layer.effect(
    AssignmentJobs,
    PersistedQueue.make({ name: "assignment", schema: Job, maxAttempts: 50 })
  )

  static readonly layerWorker = Layer.unwrap(
    Effect.gen(function* () {
      const { assign, assignWaiting } = yield* Assignment
      return layerWorker({
        name: "assignment",
        queue: yield* AssignmentJobs,
        concurrency: 4,
        perform: ({ caseId, organizationId }) =>
          caseId === null ? assignWaiting(organizationId) : assign(organizationId, caseId)
      })
    })
  )
}
