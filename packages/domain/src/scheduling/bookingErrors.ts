import { Schema } from "effect"

/** The organization has no patient with this email, or the patient has no case that is not archived. */
export class PatientCaseMissing extends Schema.TaggedError<PatientCaseMissing>()("PatientCaseMissing", {}) {}

/** The scheduling provider has no such event type, or it cannot be booked. */
export class EventTypeUnknown extends Schema.TaggedError<EventTypeUnknown>()("EventTypeUnknown", {}) {}

/** Several invitees share a slot of the event type: calling off what one of them booked would call off all. */
export class EventTypeShared extends Schema.TaggedError<EventTypeShared>()("EventTypeShared", {}) {}

/** The event type has no slot that begins then. */
export class SlotMissing extends Schema.TaggedError<SlotMissing>()("SlotMissing", {}) {}

/** Somebody has the slot. */
export class SlotTaken extends Schema.TaggedError<SlotTaken>()("SlotTaken", {}) {}

/** The scheduling provider does not take the request for another reason; `field` is the one that it names, if it names one. */
export class ProviderRefused extends Schema.TaggedError<ProviderRefused>()("ProviderRefused", {
  field: Schema.NullOr(Schema.String)
}) {}

/** The scheduling provider was asked too often, by all organizations together. `retryAfter` is in seconds. */
export class ProviderBusy extends Schema.TaggedError<ProviderBusy>()("ProviderBusy", { retryAfter: Schema.Natural }) {}

/** This installation has no scheduling provider. */
export class ProviderNotConfigured extends Schema.TaggedError<ProviderNotConfigured>()("ProviderNotConfigured", {}) {}

/** The organization has no such appointment of a patient with this email. */
export class AppointmentNotFound extends Schema.TaggedError<AppointmentNotFound>()("AppointmentNotFound", {}) {}

export class AppointmentCancelled extends Schema.TaggedError<AppointmentCancelled>()("AppointmentCancelled", {}) {}

/** The appointment has begun: it cannot be called off any more. */
export class AppointmentBegun extends Schema.TaggedError<AppointmentBegun>()("AppointmentBegun", {}) {}

/** Another agent keeps the event: it is called off there. */
export class AppointmentOfAnotherAgent extends Schema.TaggedError<AppointmentOfAnotherAgent>()(
  "AppointmentOfAnotherAgent",
  {}
) {}
