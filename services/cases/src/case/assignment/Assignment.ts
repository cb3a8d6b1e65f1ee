import { CaseClosed } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { makeBatcher, memoizeByOrganization } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer, Option } from "effect"
import { Cases } from "../lifecycle/Cases.ts"
import { Providers } from "./Providers.ts"

const pageSize = 100

/** Gives open cases to providers: to the active one with the fewest cases, licensed where the patient lives. */
export class Assignment extends Context.Service<
  Assignment,
  {
    /**
     * Assigns a case that waits for a provider. Returns false if it still waits, because no provider is eligible. Idempotent.
     */
    readonly assign: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<boolean, CaseClosed>
    /**
     * Tries the next hundred cases of an organization that wait, oldest first: where those after them begin, unless these
     * were the last. Safe to repeat.
     */
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
      const providers = yield* Providers
      const together = yield* makeBatcher

      // Cases of one organization that are assigned beside each other mostly find the same provider, and all but one would
      // try again: so they are assigned together.
      const assignOf = memoizeByOrganization((organizationId) =>
        together(
          (ids: ReadonlyArray<CaseId>) =>
            Effect.map(cases.assignToLeastBusy(organizationId, ids), (left) => ids.map((id) => !left.has(id))),
          { atOnce: 1, most: pageSize }
        )
      )

      return Assignment.of({
        assign: Effect.fn("Assignment.assign")(function* (organizationId, id) {
          const attempt = assignOf(organizationId)(id)
          if (yield* attempt) return true
          const found = yield* cases.find(organizationId, id)
          if (Option.exists(found, ({ isArchived }) => isArchived)) return yield* new CaseClosed()
          return (yield* providers.learn(organizationId)) && (yield* attempt)
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
  ).pipe(Layer.provide([Cases.layer, Providers.layer]))
}
