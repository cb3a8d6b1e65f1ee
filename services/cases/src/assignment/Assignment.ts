import type { CaseId, OrganizationId } from "@care/domain/ids"
import { oldest } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { Directory } from "../directory/Directory.ts"
import { Cases } from "../lifecycle/Cases.ts"
import type { WaitingCase } from "../lifecycle/CasesRepo.ts"

const batch = 100

/** Gives open cases to providers: to the active one with the fewest cases, licensed where the patient lives. */
export class Assignment extends Context.Service<
  Assignment,
  {
    /** Assigns a case if it waits for a provider and there is one; otherwise nothing happens. Safe to repeat. */
    readonly assign: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<void>
    /** Tries all cases of an organization that wait, oldest first. */
    readonly assignWaiting: (organizationId: OrganizationId) => Effect.Effect<void>
  }
>()("@care/cases/assignment/Assignment") {
  static readonly layer = Layer.effect(
    Assignment,
    Effect.gen(function* () {
      const cases = yield* Cases
      const directory = yield* Directory

      const give = Effect.fnUntraced(function* (organizationId: OrganizationId, { id, userId }: WaitingCase) {
        const providerIds = yield* directory.eligibleProviders(organizationId, userId)
        yield* cases.assignToLeastBusy(organizationId, id, providerIds)
      })

      return Assignment.of({
        assign: Effect.fn("Assignment.assign")(function* (organizationId, caseId) {
          const waiting = yield* cases.findWaiting(organizationId, caseId)
          if (Option.isSome(waiting)) yield* give(organizationId, waiting.value)
        }),

        assignWaiting: Effect.fn("Assignment.assignWaiting")(function* (organizationId) {
          let after = oldest
          let page: ReadonlyArray<WaitingCase>
          do {
            page = yield* cases.pageOfWaiting(organizationId, after, batch)
            yield* Effect.forEach(page, (waiting) => give(organizationId, waiting), { discard: true })
            after = page.at(-1) ?? after
          } while (page.length === batch)
        })
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
