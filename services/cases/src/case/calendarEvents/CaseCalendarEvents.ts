import type { CaseCalendarEvent } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { CalendarEventId, CaseId, OrganizationId } from "@care/domain/ids"
import { type CalendarEventOfCase, calendarEventsApi } from "@care/domain/scheduling"
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
    /** Returns events by their ids, as responses show them. Cancelled ones are among them. */
    readonly findAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<CalendarEventId>
    ) => Effect.Effect<ReadonlyArray<CaseCalendarEvent>>
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
      const scheduling = yield* peer(calendarEventsApi, "calendarEvents")
      const people = yield* People

      const ofCase: CaseCalendarEvents["Service"]["ofCase"] = (organizationId, caseId, before, limit) =>
        Effect.orDie(scheduling.ofCase({ params: { organizationId, caseId }, query: { before, limit } }))

      const show = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        events: ReadonlyArray<CalendarEventOfCase>
      ) {
        const person = personIn(yield* people.summaries(organizationId, peopleOfEvents(events)))
        return events.map((event) => calendarEventOf(event, person))
      })

      return CaseCalendarEvents.of({
        ofCase,
        findAll: Effect.fn("CaseCalendarEvents.findAll")(function* (organizationId, ids) {
          const request = { params: { organizationId }, payload: { ids } }
          return yield* show(organizationId, yield* Effect.orDie(scheduling.find(request)))
        }),
        newest: Effect.fn("CaseCalendarEvents.newest")(function* (organizationId, caseId, before, limit) {
          return yield* show(organizationId, yield* ofCase(organizationId, caseId, before, limit))
        })
      })
    })
  )
}
