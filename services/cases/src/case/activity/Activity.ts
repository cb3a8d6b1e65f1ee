import type { CaseActivity, NewCaseActivity } from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { makeActivityRepo } from "./ActivityRepo.ts"

/** The activity of cases. `Cases.move` and `Cases.record` write it, in the transaction of the change. */
export class Activity extends Context.Service<
  Activity,
  {
    /** Returns the entries of a case after a sequence number, oldest first. */
    readonly after: (
      organizationId: OrganizationId,
      caseId: CaseId,
      sequence: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CaseActivity>>
    /** Returns whether a case was closed after an entry like this one, also when it was reopened since. */
    readonly wasClosedSince: (
      organizationId: OrganizationId,
      caseId: CaseId,
      activity: NewCaseActivity
    ) => Effect.Effect<boolean>
  }
>()("@care/cases/activity/Activity") {
  static readonly layer = Layer.effect(
    Activity,
    Effect.gen(function* () {
      const repo = yield* makeActivityRepo
      return Activity.of({
        after: Effect.fn("Activity.after")(function* (organizationId, caseId, sequence, limit) {
          const rows = yield* repo.after(organizationId, caseId, sequence, limit)
          return rows.map(({ actorId, actorType, ...row }) => ({ ...row, actor: { type: actorType, id: actorId } }))
        }),
        wasClosedSince: Effect.fn("Activity.wasClosedSince")(repo.wasClosedSince)
      })
    })
  )
}
