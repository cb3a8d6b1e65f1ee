import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { Array as Arr, Context, Effect, Layer, Option } from "effect"
import { Cases } from "../lifecycle/Cases.ts"
import { Providers } from "./Providers.ts"

const pageSize = 100

/** Gives open cases to providers: to the active one with the fewest cases, licensed where the patient lives. */
export class Assignment extends Context.Service<
  Assignment,
  {
    /** Assigns a case if it waits for a provider and there is one; otherwise nothing happens. Safe to repeat. */
    readonly assign: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<void>
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

      return Assignment.of({
        assign: Effect.fn("Assignment.assign")(function* (organizationId, caseId) {
          if (yield* cases.assignToLeastBusy(organizationId, caseId)) return
          if (yield* providers.learn(organizationId)) yield* cases.assignToLeastBusy(organizationId, caseId)
        }),

        assignPage: Effect.fn("Assignment.assignPage")(function* (organizationId, after) {
          const page = yield* cases.pageOfWaiting(organizationId, after, pageSize)
          yield* Effect.forEach(page, ({ id }) => cases.assignToLeastBusy(organizationId, id), { discard: true })
          return page.length < pageSize ? Option.none() : Arr.last(page)
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, Providers.layer]))
}
