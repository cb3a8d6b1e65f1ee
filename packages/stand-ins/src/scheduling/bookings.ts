import { randomUUID } from "node:crypto"
import {
  type Booking,
  type BookingCancellation,
  type BookingInvitee,
  eventIdOf,
  isActive,
  isSameEmail,
  typeOf
} from "./Booking.ts"
import type { Call } from "./Call.ts"
import { emit } from "./emit.ts"
import type { MeetingType } from "./MeetingType.ts"
import { membersOf } from "./membersOf.ts"
import { alreadyFilled, denied, invalid, limitReached, notFound } from "./Refusal.ts"
import { slotsBetween } from "./slots.ts"

type LedgerContext = Pick<Call, "ledger">

/** Returns the first booking of the scheduled event that a path names. */
export const bookingAt = ({ ledger }: LedgerContext, id: string): Booking => {
  const booking = ledger.get("booking", id)
  if (booking === undefined || booking.joined !== undefined) throw notFound()
  return booking
}

/** Returns the booking of an email in the scheduled event that a path names, by default the first. */
export const memberAt = (call: LedgerContext, id: string, email: string | undefined): Booking => {
  const first = bookingAt(call, id)
  if (email === undefined) return first
  const found = membersOf(call, first).findLast(({ invitee }) => isSameEmail(invitee.email, email))
  if (found === undefined) throw notFound()
  return found
}

/** Returns the active bookings of the host that overlap a time. */
export const meetingsOf = ({ ledger }: LedgerContext, { host }: MeetingType, from: number, until: number) =>
  ledger
    .all("booking")
    .filter(
      (booking) =>
        isActive(booking) && booking.start < until && booking.end > from && typeOf(booking).host.id === host.id
    )

/** Returns the number of places that a slot has left, given the bookings that overlap it. */
export const remainingCapacity = (type: MeetingType, start: number, overlapping: ReadonlyArray<Booking>): number => {
  const isShared = overlapping.every((booking) => booking.eventType === type.id && booking.start === start)
  return isShared ? type.capacity - overlapping.length : 0
}

// Returns the scheduled event to join, if there is one. A meeting that is moved may overlap its old time.
const checkSlot = (call: Call, type: MeetingType, start: number, moved: string | null): string | undefined => {
  const isSlot = start > call.now && slotsBetween(type, start, start + 1).length === 1
  if (!isSlot) throw invalid({ parameter: "start_time", message: "This event type has no slot at this time." })
  const others = meetingsOf(call, type, start, start + type.minutes * 60_000).filter(({ id }) => id !== moved)
  if (remainingCapacity(type, start, others) < 1) throw alreadyFilled(others.some((other) => other.start === start))
  return others[0] && eventIdOf(others[0])
}

const checkLimit = (call: Call, type: MeetingType, { email }: BookingInvitee, moved: string | null): void => {
  const ahead = call.ledger
    .all("booking")
    .filter(
      (booking) =>
        booking.eventType === type.id && booking.id !== moved && isActive(booking) && booking.start > call.now
    )
    .filter(({ invitee }) => isSameEmail(invitee.email, email))
  if (ahead.length >= type.maxPerInvitee) throw limitReached()
}

type BookingRequest = Pick<Booking, "invitee" | "location" | "start" | "tracking">

/** Books a place in a slot, or refuses that. */
export const book = (
  call: Call,
  type: MeetingType,
  { invitee, location, start, tracking }: BookingRequest,
  movedFrom: string | null = null
): Booking => {
  if (!type.isActive) throw invalid({ parameter: "event_type", message: "This event type is not active." })
  checkLimit(call, type, invitee, movedFrom)
  const joined = checkSlot(call, type, start, movedFrom)
  const id = randomUUID()
  const booking = call.ledger.put("booking", id, {
    invitee,
    location,
    start,
    tracking,
    id,
    ...(joined !== undefined && { joined }),
    inviteeId: randomUUID(),
    eventType: type.id,
    end: start + type.minutes * 60_000,
    createdAt: call.now,
    updatedAt: call.now,
    cancellation: null,
    movedFrom,
    movedTo: null
  })
  if (movedFrom === null) emit(call, "invitee.created", booking)
  return booking
}

const checkOpen = (call: Call, booking: Booking): void => {
  if (!isActive(booking)) throw denied("Event is already canceled")
  if (booking.start <= call.now) throw denied("Event in the past")
}

const end = (
  call: Call,
  booking: Booking,
  cancellation: Omit<BookingCancellation, "at">,
  movedTo: string | null
): Booking => {
  const ended = { ...booking, cancellation: { ...cancellation, at: call.now }, movedTo, updatedAt: call.now }
  return call.ledger.put("booking", booking.id, ended)
}

interface Move {
  readonly by: BookingCancellation["by"]
  readonly start: number
  readonly timezone?: string | undefined
}

/** Cancels one booking of a meeting that has not begun. */
export const cancel = (call: Call, booking: Booking, cancellation: Omit<BookingCancellation, "at">): Booking => {
  checkOpen(call, booking)
  const canceled = end(call, booking, cancellation, null)
  emit(call, "invitee.canceled", canceled)
  return canceled
}

/** Cancels all bookings of a meeting that has not begun. */
export const cancelAll = (call: Call, first: Booking, cancellation: Omit<BookingCancellation, "at">): Booking => {
  const members = membersOf(call, first)
  const active = members.filter(isActive)
  checkOpen(call, active[0] ?? first)
  for (const booking of active) cancel(call, booking, cancellation)
  return bookingAt(call, first.id)
}

/** Moves a meeting that has not begun: cancels the booking, and makes a new one. */
export const reschedule = (
  call: Call,
  booking: Booking,
  { by, start, timezone = booking.invitee.timezone }: Move
): Booking => {
  checkOpen(call, booking)
  const invitee = { ...booking.invitee, timezone }
  const moved = book(call, typeOf(booking), { ...booking, invitee, start }, booking.id)
  emit(call, "invitee.canceled", end(call, booking, { by, reason: null }, moved.id))
  emit(call, "invitee.created", moved)
  return moved
}
