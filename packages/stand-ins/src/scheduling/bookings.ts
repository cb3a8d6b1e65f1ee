import { randomUUID } from "node:crypto"
import { type Booking, type Cancellation, eventIdOf, type Invitee, isActive, typeOf } from "./Booking.ts"
import type { Call } from "./Call.ts"
import type { EventType } from "./EventType.ts"
import { emit } from "./emit.ts"
import { isEmail } from "./isEmail.ts"
import { membersOf } from "./membersOf.ts"
import { alreadyFilled, denied, invalid, limitReached, notFound } from "./Refusal.ts"
import { slotsBetween } from "./slots.ts"

type At = Pick<Call, "ledger">

/** The booking that began the scheduled event of a path. */
export const bookingAt = ({ ledger }: At, id: string): Booking => {
  const booking = ledger.get("booking", id)
  if (booking === undefined || booking.joined !== undefined) throw notFound()
  return booking
}

/** The booking of somebody in the scheduled event of a path: the one that began it, unless an email says whose. */
export const memberAt = (call: At, id: string, email: string | undefined): Booking => {
  const first = bookingAt(call, id)
  if (email === undefined) return first
  const found = membersOf(call, first).findLast(({ invitee }) => isEmail(invitee.email, email))
  if (found === undefined) throw notFound()
  return found
}

/** The bookings that a host has at some time within another. */
export const meetingsOf = ({ ledger }: At, { host }: EventType, from: number, until: number) =>
  ledger
    .all("booking")
    .filter((one) => isActive(one) && one.start < until && one.end > from && typeOf(one).host.id === host.id)

/** How many places a slot has left, beside the meetings that overlap it. */
export const placesLeft = (type: EventType, start: number, overlapping: ReadonlyArray<Booking>): number => {
  const isShared = overlapping.every((one) => one.eventType === type.id && one.start === start)
  return isShared ? type.places - overlapping.length : 0
}

// A meeting that is moved may overlap where it was. Undefined, or the scheduled event that has a place left.
const checkSlot = (call: Call, type: EventType, start: number, moved: string | null): string | undefined => {
  const isSlot = start > call.now && slotsBetween(type, start, start + 1).length === 1
  if (!isSlot) throw invalid({ parameter: "start_time", message: "This event type has no slot at this time." })
  const others = meetingsOf(call, type, start, start + type.minutes * 60_000).filter(({ id }) => id !== moved)
  if (placesLeft(type, start, others) < 1) throw alreadyFilled(others.some((other) => other.start === start))
  return others[0] && eventIdOf(others[0])
}

const checkLimit = (call: Call, type: EventType, { email }: Invitee, moved: string | null): void => {
  const ahead = call.ledger
    .all("booking")
    .filter((one) => one.eventType === type.id && one.id !== moved && isActive(one) && one.start > call.now)
    .filter(({ invitee }) => isEmail(invitee.email, email))
  if (ahead.length >= type.mostPerInvitee) throw limitReached()
}

type Asked = Pick<Booking, "invitee" | "location" | "start" | "tracking">

/** Books a place in a slot that has one left, for somebody who may have another meeting. */
export const book = (
  call: Call,
  type: EventType,
  { invitee, location, start, tracking }: Asked,
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

const end = (call: Call, booking: Booking, cancellation: Omit<Cancellation, "at">, movedTo: string | null): Booking => {
  const ended = { ...booking, cancellation: { ...cancellation, at: call.now }, movedTo, updatedAt: call.now }
  return call.ledger.put("booking", booking.id, ended)
}

/** Who moves a meeting, to when, and the time zone that they chose. */
interface Move {
  readonly by: Cancellation["by"]
  readonly start: number
  readonly timezone?: string | undefined
}

/** Calls off what somebody booked, if it has not begun: others who share the meeting have theirs. */
export const cancel = (call: Call, booking: Booking, cancellation: Omit<Cancellation, "at">): Booking => {
  checkOpen(call, booking)
  const canceled = end(call, booking, cancellation, null)
  emit(call, "invitee.canceled", canceled)
  return canceled
}

/** Calls a meeting off that has not begun, for everybody who is in it. */
export const cancelAll = (call: Call, first: Booking, cancellation: Omit<Cancellation, "at">): Booking => {
  const members = membersOf(call, first)
  const active = members.filter(isActive)
  checkOpen(call, active[0] ?? first)
  for (const booking of active) cancel(call, booking, cancellation)
  return bookingAt(call, first.id)
}

/** Moves a meeting that has not begun: it is called off, and there is another one in its place, in a zone if one is given. */
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
