import { Schema } from "effect"
import { CalendarEventId } from "../Ids.ts"

/** The organization or the case has no such calendar event. */
export class CalendarEventNotFound extends Schema.TaggedError<CalendarEventNotFound>()("CalendarEventNotFound", {
  eventId: CalendarEventId
}) {}

/** The event does not end after it begins. */
export class EventTimesReversed extends Schema.TaggedError<EventTimesReversed>()("EventTimesReversed", {}) {}

/** The event was cancelled before. */
export class CalendarEventCancelled extends Schema.TaggedError<CalendarEventCancelled>()("CalendarEventCancelled", {
  eventId: CalendarEventId
}) {}

/** The event belongs to another agent than `custom`, and is cancelled there. */
export class CalendarEventNotCustom extends Schema.TaggedError<CalendarEventNotCustom>()("CalendarEventNotCustom", {
  eventId: CalendarEventId
}) {}

/** The range of days of a request is missing, incomplete or reversed. */
export class DayRangeRefused extends Schema.TaggedError<DayRangeRefused>()("DayRangeRefused", {
  problem: Schema.Literals(["missing", "incomplete", "reversed"])
}) {}

/** Nobody in the organization has the email of the filter. */
export class AppointmentUserUnknown extends Schema.TaggedError<AppointmentUserUnknown>()(
  "AppointmentUserUnknown",
  {}
) {}

/** The organization has no patient with this email, or the patient has only archived cases. */
export class PatientCaseMissing extends Schema.TaggedError<PatientCaseMissing>()("PatientCaseMissing", {}) {}

/** The scheduling provider has no such event type, or it cannot be booked. */
export class EventTypeUnknown extends Schema.TaggedError<EventTypeUnknown>()("EventTypeUnknown", {}) {}

/** Several invitees share a slot of the event type: cancelling one booking would cancel all. */
export class EventTypeShared extends Schema.TaggedError<EventTypeShared>()("EventTypeShared", {}) {}

/** The event type has no slot at this time. */
export class SlotMissing extends Schema.TaggedError<SlotMissing>()("SlotMissing", {}) {}

export class SlotTaken extends Schema.TaggedError<SlotTaken>()("SlotTaken", {}) {}

/** The scheduling provider refuses the request for another reason; `field` is the one that it names, if any. */
export class ProviderRefused extends Schema.TaggedError<ProviderRefused>()("ProviderRefused", {
  field: Schema.NullOr(Schema.String)
}) {}

/** The scheduling provider was called too often, by all organizations together. `retryAfter` is in seconds. */
export class ProviderBusy extends Schema.TaggedError<ProviderBusy>()("ProviderBusy", { retryAfter: Schema.Natural }) {}

/** This installation has no scheduling provider. */
export class ProviderNotConfigured extends Schema.TaggedError<ProviderNotConfigured>()("ProviderNotConfigured", {}) {}

/** The organization has no such appointment of a patient with this email. */
export class AppointmentNotFound extends Schema.TaggedError<AppointmentNotFound>()("AppointmentNotFound", {}) {}

export class AppointmentCancelled extends Schema.TaggedError<AppointmentCancelled>()("AppointmentCancelled", {}) {}

/** The appointment has begun, and cannot be cancelled. */
export class AppointmentBegun extends Schema.TaggedError<AppointmentBegun>()("AppointmentBegun", {}) {}

/** The event belongs to another agent, and is cancelled there. */
export class AppointmentOfAnotherAgent extends Schema.TaggedError<AppointmentOfAnotherAgent>()(
  "AppointmentOfAnotherAgent",
  {}
) {}
