import { CaseClosed } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { makeBatcher, memoizeByOrganization } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer, Option } from "effect"
import { Cases } from "../lifecycle/Cases.ts"
import { ReplicatedProviders } from "./ReplicatedProviders.ts"

const pageSize = 100

/** Assigns open cases to the least busy active provider who is licensed where the patient lives. */
export class Assignment extends Context.Service<
  Assignment,
  {
    /** Assigns a case, if it waits for a provider. Returns false when no provider is eligible. Idempotent. */
    readonly assign: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<boolean, CaseClosed>
    /** Assigns the next hundred waiting cases of an organization, oldest first. Returns the position of the next page, if any. */
    readonly assignPage: (
      organizationId: OrganizationId,
      after: PagePosition
    ) => Effect.Effect<Option.Option<PagePosition>>
  }
>()("@care/cases/assignment/Assignment") {
  static readonly layer = Layer.effect(
    Assignment,
    Effect.gen(function* () {
      const cases = yield* Cases
      const providers = yield* ReplicatedProviders
      const batch = yield* makeBatcher

      // Parallel assignments of one organization would mostly choose the same provider, and all but one would have to retry. So they are
      // assigned in batches.
      const assignOf = memoizeByOrganization((organizationId) =>
        batch(
          (ids: ReadonlyArray<CaseId>) =>
            Effect.map(cases.assignToLeastBusy(organizationId, ids), (unassigned) =>
              ids.map((id) => !unassigned.has(id))
            ),
          { concurrency: 1, maxBatchSize: pageSize }
        )
      )

      return Assignment.of({
        assign: Effect.fn("Assignment.assign")(function* (organizationId, id) {
          const attempt = assignOf(organizationId)(id)
          if (yield* attempt) return true
          const existing = yield* cases.find(organizationId, id)
          if (Option.exists(existing, ({ isArchived }) => isArchived)) return yield* new CaseClosed()
          return (yield* providers.fetchIfNone(organizationId)) && (yield* attempt)
        }),

        assignPage: Effect.fn("Assignment.assignPage")(function* (organizationId, after) {
          const page = yield* cases.pageOfWaiting(organizationId, after, pageSize)
          yield* cases.assignToLeastBusy(
            organizationId,
            page.map(({ id }) => id)
          )
          return page.length < pageSize ? Option.none() : Arr.last(page)
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, ReplicatedProviders.layer]))
}
