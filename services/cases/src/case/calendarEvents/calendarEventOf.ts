import type { UserSummary } from "@care/domain/auth"
import type { CaseCalendarEvent } from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"
import type { CalendarEventOfCase } from "@care/domain/scheduling"

/** Returns the ids of the organizers and participants of calendar events. */
export const peopleOfEvents = (events: ReadonlyArray<CalendarEventOfCase>): ReadonlyArray<UserId> =>
  events.flatMap(({ organizerId, participantIds }) =>
    organizerId === null ? participantIds : [organizerId, ...participantIds]
  )

/** Returns a calendar event as responses show it, with people instead of ids. */
export const calendarEventOf = (
  { organizerId, participantIds, ...event }: CalendarEventOfCase,
  person: (id: UserId) => UserSummary
): CaseCalendarEvent => ({
  ...event,
  organizer: organizerId === null ? null : person(organizerId),
  participants: participantIds.map(person)
})
