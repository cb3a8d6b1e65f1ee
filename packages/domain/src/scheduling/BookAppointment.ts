import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { nameUpTo, nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { CalendarTime } from "../http/Timestamp.ts"
import { TimeZone } from "../http/TimeZone.ts"
import { MeetingLocation } from "./NewCalendarEvent.ts"

const member = Schema.optional(textUpTo(lengths.reference))

/** The origin of a patient; null fields are absent. */
export const AppointmentTracking = Schema.Struct({
  utmCampaign: member,
  utmSource: member,
  utmMedium: member,
  utmContent: member,
  utmTerm: member,
  salesforceUuid: member
})
export type AppointmentTracking = typeof AppointmentTracking.Type

/** The booking of an open slot of one of the scheduling provider's event types. */
export const BookAppointment = Schema.Struct({
  eventTypeId: nonBlankUpTo(lengths.reference),
  startTime: CalendarTime,
  email: Email,
  timezone: TimeZone,
  location: MeetingLocation,
  firstName: Schema.optional(nameUpTo(lengths.name)),
  lastName: Schema.optional(nameUpTo(lengths.name)),
  tracking: Schema.optional(AppointmentTracking)
}).annotate({ identifier: "BookAppointment" })
export type BookAppointment = typeof BookAppointment.Type

export const bookAppointmentExample = {
  eventTypeId: "et_demo_30min",
  startTime: "2026-08-12T15:00:00Z",
  email: "maria.lopez@example.com",
  timezone: "America/Los_Angeles",
  location: "google_conference",
  firstName: "Maria",
  lastName: "Lopez",
  tracking: { utmCampaign: "summer", utmSource: "newsletter" }
}
