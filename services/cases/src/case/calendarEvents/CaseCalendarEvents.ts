import type { CaseCalendarEvent } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { type CalendarEventOfCase, SchedulingApi } from "@care/domain/scheduling"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { People } from "../people/People.ts"
import { personIn } from "../people/personIn.ts"
import { calendarEventOf, peopleOfEvents } from "./calendarEventOf.ts"

/** Reads the calendar events of cases from scheduling, without cancelled ones. */
export class CaseCalendarEvents extends Context.Service<
  CaseCalendarEvents,
  {
    /** Returns the events of a case, latest start first. */
    readonly ofCase: (
      organizationId: OrganizationId,
      caseId: CaseId,
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CalendarEventOfCase>>
    /** Returns the same events as responses show them, with people instead of ids. */
    readonly newest: (
      organizationId: OrganizationId,
      caseId: CaseId,
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CaseCalendarEvent>>
  }
>()("@care/cases/calendarEvents/CaseCalendarEvents") {
  static readonly layer = Layer.effect(
    CaseCalendarEvents,
    Effect.gen(function* () {
      const scheduling = yield* peer(SchedulingApi, "calendarEvents")
      const people = yield* People

      const ofCase: CaseCalendarEvents["Service"]["ofCase"] = (organizationId, caseId, before, limit) =>
        Effect.orDie(scheduling.ofCase({ params: { organizationId, caseId }, query: { before, limit } }))

      return CaseCalendarEvents.of({
        ofCase,
        newest: Effect.fn("CaseCalendarEvents.newest")(function* (organizationId, caseId, before, limit) {
          const events = yield* ofCase(organizationId, caseId, before, limit)
          const person = personIn(yield* people.summaries(organizationId, peopleOfEvents(events)))
          return events.map((event) => calendarEventOf(event, person))
        })
      })
    })
  )
}
