import type { CaseActivity, NewCaseActivity } from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { makeActivityRepo } from "./ActivityRepo.ts"

/** What happened to cases. It is written by whoever makes a change, in the same transaction (`Cases.move`, `Cases.record`). */
export class Activity extends Context.Service<
  Activity,
  {
    /** What happened to a case after a number, oldest first. */
    readonly after: (
      organizationId: OrganizationId,
      caseId: CaseId,
      sequence: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CaseActivity>>
    /** True when a case was closed after something happened to it, also when it was reopened since. */
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
