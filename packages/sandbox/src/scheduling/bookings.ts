import { randomUUID } from "node:crypto"
import { type Booking, type Cancellation, isActive, typeOf } from "./Booking.ts"
import type { Call } from "./Call.ts"
import type { EventType } from "./EventType.ts"
import { emit } from "./emit.ts"
import { alreadyFilled, denied, invalid, notFound } from "./Refusal.ts"
import { slotsBetween } from "./slots.ts"

/** The booking of a path. */
export const bookingAt = ({ books }: Pick<Call, "books">, id: string): Booking => {
  const booking = books.get("booking", id)
  if (booking === undefined) throw notFound()
  return booking
}

/** The meetings that a host has at some time within another. */
export const meetingsOf = ({ books }: Pick<Call, "books">, { host }: EventType, from: number, until: number) =>
  books
    .all("booking")
    .filter((one) => isActive(one) && one.start < until && one.end > from && typeOf(one).host.id === host.id)

// A meeting that is moved may overlap where it was.
const checkSlot = (call: Call, type: EventType, start: number, moved: string | null): void => {
  const isSlot = start > call.now && slotsBetween(type, start, start + 1).length === 1
  if (!isSlot) throw invalid({ parameter: "start_time", message: "This event type has no slot at this time." })
  const [other] = meetingsOf(call, type, start, start + type.minutes * 60_000).filter(({ id }) => id !== moved)
  if (other !== undefined) throw alreadyFilled(other.start === start)
}

type Asked = Pick<Booking, "invitee" | "location" | "start" | "tracking">

/** Books a slot, of which there is one, and which nobody else has. */
export const book = (call: Call, type: EventType, asked: Asked, movedFrom: string | null = null): Booking => {
  if (!type.isActive) throw invalid({ parameter: "event_type", message: "This event type is not active." })
  checkSlot(call, type, asked.start, movedFrom)
  const id = randomUUID()
  const booking = call.books.put("booking", id, {
    ...asked,
    id,
    inviteeId: randomUUID(),
    eventType: type.id,
    end: asked.start + type.minutes * 60_000,
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
  return call.books.put("booking", booking.id, ended)
}

/** Who moves a meeting, to when, and the time zone that they chose. */
interface Move {
  readonly by: Cancellation["by"]
  readonly start: number
  readonly timezone?: string | undefined
}

/** Calls a meeting off that has not begun. */
export const cancel = (call: Call, booking: Booking, cancellation: Omit<Cancellation, "at">): Booking => {
  checkOpen(call, booking)
  const canceled = end(call, booking, cancellation, null)
  emit(call, "invitee.canceled", canceled)
  return canceled
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
