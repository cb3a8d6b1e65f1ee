import { Audit } from "@care/audit"
import type { UserSummary } from "@care/domain/auth"
import type { CaseSnapshot } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import {
  type AppointmentsQuery,
  AppointmentUserUnknown,
  type DayRangeRefused,
  type ListedAppointment,
  maxAppointments
} from "@care/domain/scheduling"
import { Time } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { CaseSnapshots, Directory } from "../../cases/index.ts"
import { CalendarEvents } from "../calendarEvents/CalendarEvents.ts"
import type { EventRow } from "../calendarEvents/EventRow.ts"
import { rangeOf } from "./rangeOf.ts"

/** Returns an event as the list of appointments shows it. */
const appointmentOf = (
  event: EventRow,
  { caseId, shortId, status, title }: CaseSnapshot,
  { email, firstName, id, lastName }: UserSummary
): ListedAppointment => ({
  id: event.id,
  createdAt: event.createdAt,
  updatedAt: event.updatedAt,
  title: event.title,
  start: event.startsAt,
  end: event.endsAt,
  topic: event.topic ?? "",
  description: event.description ?? "",
  color: event.color ?? "",
  isEditable: event.isEditable,
  agentEventId: event.agentEventId ?? "",
  agentName: event.agentName,
  status: event.status,
  isDeleted: event.isDeleted,
  meetingDetails: {
    timezone: event.timezone,
    location: event.location ?? "",
    meetingLink: event.meetingLink ?? "",
    meetingProvider: event.meetingProvider ?? "",
    meetingNotes: event.meetingNotes ?? "",
    cancelURL: event.cancelUrl ?? "",
    rescheduleURL: event.rescheduleUrl ?? "",
    host: event.host
  },
  case: { id: caseId, shortId, status, title },
  submitter: { id, firstName, lastName, email }
})

/** The appointments in the calendars of an organization's cases. */
export class AppointmentList extends Context.Service<
  AppointmentList,
  {
    /** Returns the first events that are neither over nor cancelled, of cases that are not archived, by their end. */
    readonly find: (
      organizationId: OrganizationId,
      query: AppointmentsQuery
    ) => Effect.Effect<ReadonlyArray<ListedAppointment>, DayRangeRefused | AppointmentUserUnknown>
  }
>()("@care/scheduling/appointmentList/AppointmentList") {
  static readonly layer = Layer.effect(
    AppointmentList,
    Effect.gen(function* () {
      const audit = yield* Audit
      const directory = yield* Directory
      const events = yield* CalendarEvents
      const snapshots = yield* CaseSnapshots

      const userOf = Effect.fnUntraced(function* (organizationId: OrganizationId, email: string | undefined) {
        if (email === undefined) return undefined
        const found = yield* directory.personByEmail(organizationId, email)
        return yield* Effect.fromOption(found, () => new AppointmentUserUnknown())
      })

      // Joins events with their cases and people, with one request for each.
      const appointmentsOf = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        found: ReadonlyArray<EventRow>,
        user: UserSummary | undefined
      ) {
        if (found.length === 0) return []
        const [cases, people] = yield* Effect.all(
          [
            snapshots.ofCases(organizationId, [...new Set(found.map(({ caseId }) => caseId))]),
            user === undefined
              ? directory.people(organizationId, [...new Set(found.map(({ userId }) => userId))])
              : Effect.succeed(new Map([[user.id, user]]))
          ],
          { concurrency: "unbounded" }
        )
        return yield* Effect.forEach(found, (event) => {
          const [snapshot, submitter] = [cases.get(event.caseId), people.get(event.userId)]
          return snapshot === undefined || submitter === undefined
            ? Effect.die(new Error(`the case or the patient of the calendar event ${event.id} is not known`))
            : Effect.succeed(appointmentOf(event, snapshot, submitter))
        })
      })

      return AppointmentList.of({
        find: Effect.fn("AppointmentList.find")(function* (organizationId, query) {
          const range = yield* rangeOf(query, yield* Time.nowAsDate)
          const user = yield* userOf(organizationId, query.user_email)
          const found = yield* events.listed(organizationId, { ...range, userId: user?.id }, maxAppointments)
          const appointments = yield* appointmentsOf(organizationId, found, user)
          yield* audit.listed(
            "APPOINTMENTS_READ",
            found.map(({ caseId, userId }) => ({ organizationId, caseId, userId }))
          )
          return appointments
        })
      })
    })
  ).pipe(Layer.provide([CalendarEvents.layer, CaseSnapshots.layer]))
}
