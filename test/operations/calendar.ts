import type { Fixtures } from "./Fixtures.ts"
import type { Operations } from "./Operation.ts"

const foreign = {
  status: 401,
  body: { success: false, message: "Invalid request", error: "Permission denied" },
  nobodys: { status: 404, success: false, message: "Invalid request", error: "No Case found for provided details!" }
}

// Nobody else's event is near to it.
const created = (caseId: string, startTime: string, endTime: string) => {
  const place = { timeZone: "America/New_York", meetingLink: "https://meet.example.com/1", location: "zoom_conference" }
  return {
    params: { caseId },
    body: { calendar: { title: "Follow-up visit", agentName: "custom", startTime, endTime, ...place } }
  }
}

const cancellation = async (of: Fixtures, meetingId: string) => {
  const uri = `https://api.calendly.com/scheduled_events/${meetingId}`
  const told = { name: of.text, email: await of.newEmail(), cancellation: { reason: of.text, canceled_by: of.text } }
  return {
    body: {
      event: "invitee.canceled",
      created_at: new Date().toISOString(),
      payload: { uri: `${uri}/invitees/1`, event: uri, rescheduled: false, old_invitee: null, ...told }
    }
  }
}

/** What is done with the calendars of cases, and with appointments at the scheduling provider. */
export const calendar = {
  "calendarActions.create": {
    request: async (of) => created((await of.case()).caseId, "2058-08-01T14:00:00.000Z", "2058-08-01T14:30:00.000Z"),
    also: {
      "over two nights": async (of) =>
        created((await of.case()).caseId, "2058-08-11T22:00:00.000Z", "2058-08-13T06:00:00.000Z")
    },
    foreign,
    own: ["calendar.agentName"]
  },
  "calendarActions.cancel": {
    request: async (of) => {
      const { caseId, eventId } = await of.calendarEvent()
      return { params: { caseId }, body: { calendar: { id: eventId } } }
    },
    foreign,
    uncounted: "it ends what was counted when it was made: a patient can always cancel"
  },
  "bookings.book": {
    request: async (of) => ({
      body: {
        eventTypeId: "et_demo_30min",
        startTime: await of.slot(),
        email: (await of.newCase()).email,
        timezone: "America/New_York",
        location: "google_conference"
      }
    }),
    foreign: { status: 400 },
    spares: ["eventTypeId"]
  },
  "bookings.cancel": {
    request: async (of) => {
      const { appointmentId, email } = await of.appointment()
      return { body: { email, appointmentId } }
    },
    foreign: { status: 400 },
    uncounted: "it ends what was counted when it was made: a patient can always cancel"
  },
  "availability.slots": {
    request: () => {
      const [start_time = "", end_time = ""] = [1, 8].map((days) =>
        new Date(Date.now() + days * 24 * 3600 * 1000).toISOString()
      )
      return { query: { event_type_id: "et_demo_30min", start_time, end_time } }
    },
    foreign: { status: 200 },
    unaudited: "the open slots of a provider",
    spares: ["event_type_id"]
  },
  "appointmentList.list": {
    request: async (of) => ({ query: { user_email: (await of.calendarEvent()).email } }),
    also: { "of a day": () => ({ query: { start_date: "2059-06-01", end_date: "2059-06-01" } }) },
    foreign: { status: 400 },
    spares: ["user_email"]
  },
  "providerEvents.received": {
    request: async (of) => cancellation(of, await of.meetingId()),
    also: { "of nobody's appointment": (of) => cancellation(of, String(of.next())) },
    spares: ["event"]
  }
} satisfies Partial<Operations>
