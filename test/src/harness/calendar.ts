import { Effect } from "effect"
import { type Answer, call } from "./call.ts"
import type { Clinic } from "./fixtures.ts"
import type { Suite } from "./Suite.ts"

/** Returns an event that is accepted: half an hour on a day in the far future. */
export const calendarEvent = (changes: Readonly<Record<string, unknown>> = {}) => ({
  title: "Follow-up visit",
  agentName: "custom",
  description: "Bring the last results",
  startTime: "2060-08-01T14:00:00.000Z",
  endTime: "2060-08-01T14:30:00.000Z",
  timeZone: "America/New_York",
  meetingLink: "https://meet.example.com/1",
  location: "zoom_conference",
  ...changes
})

type Key = Pick<Clinic, "key">

/** Takes a calendar action on a case. */
export const actOnCalendar = (
  { key }: Key,
  caseId: string,
  action: "CREATE_CALENDAR_EVENT" | "CANCEL_CALENDAR_EVENT",
  calendar: unknown,
  headers: Readonly<Record<string, string>> = {}
) => call("POST", `/api/v1/cases/${caseId}`, { key, headers, body: { action, calendar } })

/** Creates an event in the calendar of a case. */
export const createEvent = (
  clinic: Key,
  caseId: string,
  event: unknown = calendarEvent(),
  headers: Readonly<Record<string, string>> = {}
) => actOnCalendar(clinic, caseId, "CREATE_CALENDAR_EVENT", event, headers)

/** Cancels an event of a case. */
export const cancelEvent = (clinic: Key, caseId: string, id: unknown, headers: Readonly<Record<string, string>> = {}) =>
  actOnCalendar(clinic, caseId, "CANCEL_CALENDAR_EVENT", { id }, headers)

/** Returns the calendar events of a case from case detail. */
export const eventsOf = ({ key }: Key, caseId: string): Effect.Effect<Answer["json"], never, Suite> =>
  Effect.map(
    call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeCalendarEvents=true`, { key }),
    ({ json }) => json.caseDetail.calendarEvents
  )

/** Lists appointments. */
export const listAppointments = ({ key }: Key, query: Readonly<Record<string, string>>) =>
  call("GET", `/api/v1/calendar/appointments?${new URLSearchParams(query)}`, { key })
