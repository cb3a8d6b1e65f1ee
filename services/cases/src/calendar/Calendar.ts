import type { CaseId, OrganizationId } from "@care/domain/ids"
import { type CalendarEventOfCase, SchedulingApi } from "@care/domain/scheduling"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"

/** What cases asks scheduling. */
export class Calendar extends Context.Service<
  Calendar,
  {
    /** The calendar events of a case that were not cancelled, in the order of their start. */
    readonly ofCase: (
      organizationId: OrganizationId,
      caseId: CaseId
    ) => Effect.Effect<ReadonlyArray<CalendarEventOfCase>>
  }
>()("@care/cases/calendar/Calendar") {
  static readonly layer = Layer.effect(
    Calendar,
    Effect.gen(function* () {
      const scheduling = yield* peer(SchedulingApi, "calendarEvents")
      return Calendar.of({
        ofCase: (organizationId, caseId) => Effect.orDie(scheduling.ofCase({ params: { organizationId, caseId } }))
      })
    })
  )
}
