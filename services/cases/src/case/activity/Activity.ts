import type { CaseActivity, NewCaseActivity } from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { type ActivityRow, makeActivityRepo } from "./ActivityRepo.ts"

const activityOf = ({ actorId, actorType, ...row }: ActivityRow): CaseActivity => ({
  ...row,
  actor: { type: actorType, id: actorId }
})

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
    /** Returns the entries of a case before a sequence number, newest first. */
    readonly before: (
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
        after: Effect.fn("Activity.after")(function* (...page) {
          return (yield* repo.after(...page)).map(activityOf)
        }),
        before: Effect.fn("Activity.before")(function* (...page) {
          return (yield* repo.before(...page)).map(activityOf)
        }),
        wasClosedSince: Effect.fn("Activity.wasClosedSince")(repo.wasClosedSince)
      })
    })
  )
}
