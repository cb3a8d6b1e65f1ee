import type { Fixtures } from "./Fixtures.ts"
import type { Foreign, Operations } from "./Operation.ts"

const foreign: Foreign = {
  status: 401,
  body: { success: false, message: "Invalid request", error: "Permission denied" },
  unknownIds: { status: 404, success: false, message: "Invalid request", error: "No Case found for provided details!" }
}

// At a time with no other events nearby.
const newEvent = (caseId: string, startTime: string, endTime: string) => {
  const place = { timeZone: "America/New_York", meetingLink: "https://meet.example.com/1", location: "zoom_conference" }
  return {
    params: { caseId },
    body: { calendar: { title: "Follow-up visit", agentName: "custom", startTime, endTime, ...place } }
  }
}

const cancellation = async (fixtures: Fixtures, meetingId: string) => {
  const uri = `https://api.calendly.com/scheduled_events/${meetingId}`
  const invitee = {
    name: fixtures.text,
    email: await fixtures.newEmail(),
    cancellation: { reason: fixtures.text, canceled_by: fixtures.text }
  }
  return {
    body: {
      event: "invitee.canceled",
      created_at: new Date().toISOString(),
      payload: { uri: `${uri}/invitees/1`, event: uri, rescheduled: false, old_invitee: null, ...invitee }
    }
  }
}

/** The operations on calendars of cases, and on appointments at the scheduling provider. */
export const calendar = {
  "calendarActions.create": {
    request: async (fixtures) =>
      newEvent((await fixtures.case()).caseId, "2058-08-01T14:00:00.000Z", "2058-08-01T14:30:00.000Z"),
    variants: {
      "over two nights": async (fixtures) =>
        newEvent((await fixtures.case()).caseId, "2058-08-11T22:00:00.000Z", "2058-08-13T06:00:00.000Z")
    },
    foreign,
    organizationFields: ["calendar.agentName"]
  },
  "calendarActions.cancel": {
    request: async (fixtures) => {
      const { caseId, eventId } = await fixtures.calendarEvent()
      return { params: { caseId }, body: { calendar: { id: eventId } } }
    },
    foreign,
    uncounted: "it ends what was counted when it was made: a patient can always cancel"
  },
  "bookings.book": {
    request: async (fixtures) => ({
      body: {
        eventTypeId: "et_demo_30min",
        startTime: await fixtures.slot(),
        email: (await fixtures.newCase()).email,
        timezone: "America/New_York",
        location: "google_conference"
      }
    }),
    foreign: { status: 400 },
    unmarkedFields: ["eventTypeId"]
  },
  "bookings.cancel": {
    request: async (fixtures) => {
      const { appointmentId, email } = await fixtures.appointment()
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
    unmarkedFields: ["event_type_id"]
  },
  "appointmentList.list": {
    request: async (fixtures) => ({ query: { user_email: (await fixtures.calendarEvent()).email } }),
    variants: { "of a day": () => ({ query: { start_date: "2059-06-01", end_date: "2059-06-01" } }) },
    foreign: { status: 400 },
    unmarkedFields: ["user_email"]
  },
  "providerEvents.received": {
    request: async (fixtures) => cancellation(fixtures, await fixtures.meetingId()),
    variants: { "of nobody's appointment": (fixtures) => cancellation(fixtures, String(fixtures.next())) },
    unmarkedFields: ["event"]
  }
} satisfies Partial<Operations>
