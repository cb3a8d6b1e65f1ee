import { Schema } from "effect"
import { type Booking, isActive, isSameEmail, typeOf } from "./Booking.ts"
import { bookingAt, cancelAll } from "./bookings.ts"
import type { Call } from "./Call.ts"
import { checkOwner } from "./checkOwner.ts"
import { listPage } from "./listPage.ts"
import { membersOf } from "./membersOf.ts"
import { email, optional, owner, page, sortedBy, status, time } from "./params.ts"
import { notFound } from "./Refusal.ts"
import { type Found, route } from "./route.ts"
import { shownCancellation, shownEvent, shownInvitee } from "./shown.ts"

const nothing = Schema.Struct({})

const hasEmail = ({ invitee }: Booking, email: string | undefined): boolean =>
  email === undefined || isSameEmail(invitee.email, email)

type Status = "active" | "canceled" | undefined

const hasStatus = (bookings: ReadonlyArray<Booking>, status: Status): boolean =>
  status === undefined || bookings.some(isActive) === (status === "active")

const Listed = Schema.Struct({
  ...page,
  ...owner,
  status,
  invitee_email: optional(email),
  min_start_time: optional(time),
  max_start_time: optional(time),
  sort: sortedBy("start_time")
})

const listEvents = (call: Call, query: typeof Listed.Type, { path }: Found) => {
  const isOwned = checkOwner(query)
  const { max_start_time: max = Number.POSITIVE_INFINITY, min_start_time: min = 0 } = query
  const matches = (booking: Booking): boolean => {
    if (booking.joined !== undefined || !isOwned(typeOf(booking).host) || booking.start < min || booking.start > max)
      return false
    const members = membersOf(call, booking)
    return members.some((member) => hasEmail(member, query.invitee_email)) && hasStatus(members, query.status)
  }
  return listPage({ path, url: call.url }, query, {
    rows: call.ledger.all("booking").filter(matches),
    keyOf: ({ id, start }) => `${String(start).padStart(15, "0")} ${id}`,
    isDescending: query.sort === "start_time:desc",
    show: (booking) => shownEvent(call, booking)
  })
}

const Invited = Schema.Struct({ ...page, status, email: optional(email), sort: sortedBy("created_at") })

const listInvitees = (call: Call, query: typeof Invited.Type, { ids: [id = ""], path }: Found) => {
  const booking = bookingAt(call, id)
  return listPage({ path, url: call.url }, query, {
    rows: membersOf(call, booking).filter(
      (member) => hasEmail(member, query.email) && hasStatus([member], query.status)
    ),
    keyOf: ({ inviteeId }) => inviteeId,
    isDescending: query.sort === "created_at:desc",
    show: (member) => shownInvitee(call, member)
  })
}

const Reason = Schema.Struct({
  reason: optional(Schema.String.check(Schema.isMaxLength(10_000, { message: "has at most 10000 characters" })))
})

const cancelEvent = (call: Call, { reason }: typeof Reason.Type, { ids: [id = ""] }: Found) => {
  const cancellation = { by: "host", reason: reason ?? null } as const
  const booking = cancelAll(call, bookingAt(call, id), cancellation)
  return { resource: shownCancellation(booking, { ...cancellation, at: call.now }) }
}

/** The routes of scheduled events with their invitees and cancellation. */
export const scheduledEventRoutes = [
  route("GET", "/scheduled_events", Listed, listEvents),
  route("GET", "/scheduled_events/:event", nothing, (call, _, { ids: [id = ""] }) => ({
    resource: shownEvent(call, bookingAt(call, id))
  })),
  route("GET", "/scheduled_events/:event/invitees", Invited, listInvitees),
  route("GET", "/scheduled_events/:event/invitees/:invitee", nothing, (call, _, { ids: [id = "", invitee] }) => {
    const booking = membersOf(call, bookingAt(call, id)).find(({ inviteeId }) => inviteeId === invitee)
    if (booking === undefined) throw notFound()
    return { resource: shownInvitee(call, booking) }
  }),
  route("POST", "/scheduled_events/:event/cancellation", Reason, cancelEvent)
]
