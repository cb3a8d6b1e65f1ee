import type { UserSummary } from "@care/domain/auth"
import type { CaseCalendarEvent } from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"
import type { CalendarEventOfCase } from "@care/domain/scheduling"

/** Whom calendar events name: who invited, and who takes part. */
export const peopleOfEvents = (events: ReadonlyArray<CalendarEventOfCase>): ReadonlyArray<UserId> =>
  events.flatMap(({ organizerId, participantIds }) =>
    organizerId === null ? participantIds : [organizerId, ...participantIds]
  )

/** A calendar event as it is shown. */
export const calendarEventOf = (
  { organizerId, participantIds, ...event }: CalendarEventOfCase,
  person: (id: UserId) => UserSummary
): CaseCalendarEvent => ({
  ...event,
  organizer: organizerId === null ? null : person(organizerId),
  participants: participantIds.map(person)
})
