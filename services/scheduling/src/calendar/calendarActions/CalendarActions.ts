import type { CaseForbidden, CaseNotFound } from "@care/domain/cases"
import type { IdempotencyConflict } from "@care/domain/http"
import { CalendarEventId, type CaseId, type OrganizationId } from "@care/domain/ids"
import {
  CalendarEventCancelled,
  CalendarEventNotCustom,
  CalendarEventNotFound,
  customAgent,
  EventTimesReversed,
  type NewCalendarEvent
} from "@care/domain/scheduling"
import { Once, onceOperation } from "@care/once"
import { Time } from "@care/service-kit"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { CaseSnapshots, Directory } from "../../cases/index.ts"
import { CalendarEvents } from "../calendarEvents/CalendarEvents.ts"
import type { EventRow } from "../calendarEvents/EventRow.ts"

const creation = onceOperation({
  name: "createCalendarEvent",
  version: 1,
  ids: { eventId: CalendarEventId },
  answer: Schema.Void
})
const cancellation = onceOperation({
  name: "cancelCalendarEvent",
  version: 1,
  exceedsQuota: true,
  ids: {},
  answer: Schema.Void
})

type CaseRefusal = CaseNotFound | CaseForbidden | IdempotencyConflict

/** The actions of partners on calendars of cases, open or closed. */
export class CalendarActions extends Context.Service<
  CalendarActions,
  {
    /** Creates an event in the calendar of a case. */
    readonly create: (
      organizationId: OrganizationId,
      caseId: CaseId,
      event: NewCalendarEvent,
      idempotencyKey: string | undefined
    ) => Effect.Effect<void, CaseRefusal | EventTimesReversed>
    /** Cancels an event of a case, unless it is another agent's. */
    readonly cancel: (
      organizationId: OrganizationId,
      caseId: CaseId,
      eventId: CalendarEventId,
      idempotencyKey: string | undefined
    ) => Effect.Effect<void, CaseRefusal | CalendarEventNotFound | CalendarEventCancelled | CalendarEventNotCustom>
  }
>()("@care/scheduling/calendarActions/CalendarActions") {
  static readonly layer = Layer.effect(
    CalendarActions,
    Effect.gen(function* () {
      const directory = yield* Directory
      const events = yield* CalendarEvents
      const snapshots = yield* CaseSnapshots
      const once = yield* Once

      // Returns the host of an event, if they are a member of the organization.
      const organizerOf = Effect.fnUntraced(function* (organizationId: OrganizationId, { provider }: NewCalendarEvent) {
        if (provider === undefined) return null
        const person = yield* directory.personByEmail(organizationId, provider.email)
        const member = Option.filter(person, ({ isActive, role }) => isActive && role !== "USER")
        return Option.getOrNull(Option.map(member, ({ id }) => id))
      })

      const newEvent = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        request: NewCalendarEvent,
        id: CalendarEventId
      ) {
        const { userId } = yield* snapshots.find(organizationId, caseId)
        if (request.endTime <= request.startTime) return yield* new EventTimesReversed()
        const organizerId = yield* organizerOf(organizationId, request)
        const now = yield* Time.nowAsDate
        const event: EventRow = {
          organizationId,
          id,
          caseId,
          userId,
          agentName: request.agentName,
          agentEventId: null,
          title: request.title,
          topic: null,
          description: request.description ?? null,
          color: null,
          isEditable: request.agentName === customAgent,
          status: "SCHEDULED",
          startsAt: request.startTime,
          endsAt: request.endTime,
          timezone: request.timeZone,
          location: request.location,
          meetingLink: request.meetingLink,
          cancelUrl: null,
          rescheduleUrl: null,
          meetingNotes: null,
          meetingProvider: request.location,
          organizerId,
          participantIds: [userId],
          host: request.provider ?? null,
          cancellation: null,
          reportedAt: null,
          isDeleted: false,
          createdAt: now,
          updatedAt: now
        }
        return Effect.asVoid(events.add(event))
      })

      const cancelled = Effect.fnUntraced(function* (caseId: CaseId, event: EventRow) {
        const { id: eventId } = event
        if (event.caseId !== caseId) return yield* new CalendarEventNotFound({ eventId })
        if (event.isDeleted) return yield* new CalendarEventCancelled({ eventId })
        if (event.agentName !== customAgent) return yield* new CalendarEventNotCustom({ eventId })
        const updatedAt = yield* Time.nowAsDate
        return { ...event, status: "CANCELLED" as const, isDeleted: true, updatedAt }
      })

      return CalendarActions.of({
        create: Effect.fn("CalendarActions.create")((organizationId, caseId, event, key) =>
          once.run(creation, { organizationId, key, body: { caseId, ...event } }, ({ eventId }) =>
            newEvent(organizationId, caseId, event, eventId)
          )
        ),

        cancel: Effect.fn("CalendarActions.cancel")((organizationId, caseId, eventId, key) =>
          once.run(cancellation, { organizationId, key, body: { caseId, eventId } }, () =>
            Effect.as(
              snapshots.find(organizationId, caseId),
              Effect.asVoid(events.change(organizationId, eventId, (event) => cancelled(caseId, event)))
            )
          )
        )
      })
    })
  ).pipe(Layer.provide([CalendarEvents.layer, CaseSnapshots.layer]))
}
