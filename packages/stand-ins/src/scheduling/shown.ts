import { type Booking, type BookingCancellation, eventIdOf, isActive, typeOf } from "./Booking.ts"
import type { Call } from "./Call.ts"
import { userUri } from "./Host.ts"
import { shownLocation } from "./location.ts"
import { eventTypeUri } from "./MeetingType.ts"
import { membersOf } from "./membersOf.ts"
import { micros } from "./params.ts"

type ResourceContext = Pick<Call, "areLinksLate" | "ledger" | "url">

const statusOf = (booking: Booking): "active" | "canceled" => (isActive(booking) ? "active" : "canceled")

/** Returns a cancellation as the API shows it. */
export const shownCancellation = (booking: Booking, { at, by, reason }: BookingCancellation) => ({
  canceled_by: by === "host" ? typeOf(booking).host.name : booking.invitee.name,
  reason,
  canceler_type: by,
  created_at: micros(at)
})

const cancellationOf = (booking: Booking) =>
  booking.cancellation === null ? {} : { cancellation: shownCancellation(booking, booking.cancellation) }

const eventUri = (url: string, booking: Booking): string => `${url}/scheduled_events/${eventIdOf(booking)}`

const inviteeUri = (url: string, booking: Booking): string => `${eventUri(url, booking)}/invitees/${booking.inviteeId}`

const uriOfOther = ({ ledger, url }: ResourceContext, id: string | null): string | null => {
  const other = id === null ? undefined : ledger.get("booking", id)
  return other === undefined ? null : inviteeUri(url, other)
}

/** Returns the scheduled event of a booking as the API shows it. It is active while one of its bookings is. */
export const shownEvent = (call: ResourceContext, booking: Booking) => {
  const { areLinksLate, url } = call
  const type = typeOf(booking)
  const members = membersOf(call, booking)
  const active = members.filter(isActive)
  const first = active[0] ?? members[0] ?? booking
  return {
    uri: eventUri(url, booking),
    name: type.name,
    meeting_notes_html: null,
    meeting_notes_plain: null,
    status: statusOf(first),
    start_time: micros(booking.start),
    end_time: micros(booking.end),
    event_type: eventTypeUri(url, type),
    location: shownLocation(booking.location, eventIdOf(booking), areLinksLate),
    invitees_counter: { total: members.length, active: active.length, limit: type.capacity },
    created_at: micros(booking.createdAt),
    updated_at: micros(booking.updatedAt),
    event_memberships: [{ user: userUri(url, type.host), user_email: type.host.email, user_name: type.host.name }],
    event_guests: [],
    calendar_event: null,
    ...cancellationOf(first)
  }
}

/** Returns a booking as the API shows it: as an invitee. */
export const shownInvitee = (call: ResourceContext, booking: Booking) => {
  const { invitee, inviteeId } = booking
  return {
    uri: inviteeUri(call.url, booking),
    email: invitee.email,
    first_name: invitee.firstName,
    last_name: invitee.lastName,
    name: invitee.name,
    status: statusOf(booking),
    questions_and_answers: [],
    timezone: invitee.timezone,
    event: eventUri(call.url, booking),
    created_at: micros(booking.createdAt),
    updated_at: micros(booking.updatedAt),
    tracking: booking.tracking,
    text_reminder_number: null,
    rescheduled: booking.movedTo !== null,
    old_invitee: uriOfOther(call, booking.movedFrom),
    new_invitee: uriOfOther(call, booking.movedTo),
    cancel_url: `https://scheduling.example.com/cancellations/${inviteeId}`,
    reschedule_url: `https://scheduling.example.com/reschedulings/${inviteeId}`,
    routing_form_submission: null,
    payment: null,
    no_show: null,
    reconfirmation: null,
    scheduling_method: null,
    invitee_scheduled_by: null,
    ...cancellationOf(booking)
  }
}
