import type { CaseId, OrganizationId } from "@care/domain"
import { oldest } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../directory/Directory.ts"
import { AssignmentRepo, type WaitingCase } from "./AssignmentRepo.ts"

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
      const repo = yield* AssignmentRepo
      const directory = yield* Directory
      const sql = yield* SqlClient.SqlClient

      const give = Effect.fnUntraced(function* (organizationId: OrganizationId, { id, userId }: WaitingCase) {
        const providerIds = yield* directory.eligibleProviders(organizationId, userId)
        if (providerIds.length === 0) return
        const now = yield* DateTime.nowAsDate
        // One after the other, so that each sees what the one before gave to whom.
        yield* sql
          .withTransaction(
            Effect.andThen(repo.lock(organizationId), repo.assignToLeastBusy(organizationId, id, providerIds, now))
          )
          .pipe(Effect.orDie)
      })

      const assign = Effect.fn("Assignment.assign")(function* (organizationId: OrganizationId, caseId: CaseId) {
        const waiting = yield* repo.findWaiting(organizationId, caseId)
        if (Option.isSome(waiting)) yield* give(organizationId, waiting.value)
      })

      const assignWaiting = Effect.fn("Assignment.assignWaiting")(function* (organizationId: OrganizationId) {
        let after = oldest
        let page: ReadonlyArray<WaitingCase>
        do {
          page = yield* repo.pageOfWaiting(organizationId, after, batch)
          yield* Effect.forEach(page, (waiting) => give(organizationId, waiting), { discard: true })
          after = page.at(-1) ?? after
        } while (page.length === batch)
      })

      return Assignment.of({ assign, assignWaiting })
    })
  ).pipe(Layer.provide(AssignmentRepo.layer))
}
