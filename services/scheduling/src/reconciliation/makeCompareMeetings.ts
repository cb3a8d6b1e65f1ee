import type { SweptPage } from "@care/service"
import { DateTime, Effect } from "effect"
import { Appointments, Bookings } from "../bookings/index.ts"
import {
  type CalledFor,
  cancellationOf,
  collectionOf,
  Invitee,
  isShared,
  meetingOf,
  ProviderApi,
  type Refused,
  resourceOf,
  ScheduledEvent
} from "../provider/index.ts"
import type { KnownMeeting } from "./MeetingsRepo.ts"

// Our cancellations reach the provider within a moment.
const longestCancelling = { hours: 1 }

/** The differences of a meeting. */
export type Differences = SweptPage["differences"]

const reported = (what: string, { agentEventId: id, organizationId }: KnownMeeting): Differences => [
  { action: "REPORTED", what, id, organizationId }
]

/**
 * Makes the comparisons of the provider's meetings with our appointments. All fail when the provider refuses a read,
 * and die as `PeerUnavailable` without a readable answer.
 */
export const makeCompareMeetings = Effect.gen(function* () {
  const api = yield* ProviderApi
  const appointments = yield* Appointments
  const bookings = yield* Bookings

  const pathOf = (agentEventId: string) => `/scheduled_events/${encodeURIComponent(agentEventId)}`

  const inviteeOf = Effect.fnUntraced(function* (calledFor: CalledFor, agentEventId: string) {
    const { collection } = yield* api.read(calledFor, `${pathOf(agentEventId)}/invitees`, {}, collectionOf(Invitee))
    return collection[0]
  })

  const eventAt = (calledFor: CalledFor, agentEventId: string) =>
    Effect.map(api.read(calledFor, pathOf(agentEventId), {}, resourceOf(ScheduledEvent)), ({ resource }) => resource)

  // Returns the report of a moved meeting, as the provider's event would have it.
  const moveOf = Effect.fnUntraced(function* (calledFor: CalledFor, movedFrom: string, agentEventId: string) {
    const event = yield* eventAt(calledFor, agentEventId)
    const invitee = yield* inviteeOf(calledFor, agentEventId)
    const { event_type: eventTypeId } = event
    const move = { type: "invitee.created", agentEventId, movedFrom, eventTypeId, email: invitee?.email ?? "" } as const
    return { ...move, meeting: meetingOf(event, invitee) }
  })

  // Everything is read before anything is stored: the end of the meeting, and the one that it was moved to.
  const takeIn = Effect.fnUntraced(function* (event: ScheduledEvent, known: KnownMeeting) {
    const { organizationId } = known
    const invitee = yield* inviteeOf(organizationId, event.uri)
    const movedTo = invitee?.new_invitee
    const move = typeof movedTo === "string" ? yield* moveOf(organizationId, event.uri, movedTo) : undefined
    const { canceledBy, reason } = cancellationOf(event.cancellation)
    const isMoved = move !== undefined
    const now = yield* DateTime.nowAsDate
    const canceled = { type: "invitee.canceled", agentEventId: event.uri, isMoved, canceledBy, reason } as const
    const isEnded = yield* appointments.observe(canceled, now)
    const isNew = isMoved ? yield* appointments.observe(move, now) : isEnded
    // The same report came before and changed nothing, so it is not the provider's current state.
    if (!isNew) return reported("An appointment does not take place at the provider any more", known)
    const what = isMoved
      ? "An appointment had been moved at the provider"
      : "An appointment had been called off at the provider"
    return [{ action: "REPAIRED", what, id: event.uri, organizationId }] satisfies Differences
  })

  const compare = Effect.fnUntraced(function* (event: ScheduledEvent, known: KnownMeeting) {
    if (event.status !== "active") return known.isDeleted ? [] : yield* takeIn(event, known)
    if (!known.isDeleted) {
      const isMoved = +event.start_time !== +known.startsAt
      return isMoved ? reported("An appointment begins at another time at the provider", known) : []
    }
    const isSettled = known.updatedAt < DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, longestCancelling))
    return isSettled ? reported("A cancelled appointment takes place at the provider", known) : []
  })

  const look = Effect.fnUntraced(
    function* (known: KnownMeeting) {
      return yield* compare(yield* eventAt(known.organizationId, known.agentEventId), known)
    },
    (looked, known) =>
      Effect.catchIf(
        looked,
        (refusal) => refusal._tag === "ProviderAnswer" && refusal.status === 404,
        () => Effect.succeed(reported("The provider does not know an appointment", known))
      )
  )

  // A booking is searched by its original time: a meeting that was moved since is found by its old one, and a meeting
  // that was moved there is not a booking.
  const settle = Effect.fnUntraced(function* (event: ScheduledEvent): Effect.fn.Return<Differences, Refused> {
    const { event_type: eventTypeId, start_time: startsAt, status, uri: id } = event
    if (isShared(event) || !(yield* bookings.isUnsettled({ eventTypeId, startsAt }))) return []
    const invitee = yield* inviteeOf(undefined, id)
    const takesPlace = status === "active" || typeof invitee?.new_invitee === "string"
    if (typeof invitee?.email !== "string" || typeof invitee.old_invitee === "string" || !takesPlace) return []
    if (!(yield* bookings.settleSoon({ eventTypeId, startsAt, email: invitee.email }))) return []
    const what = "A meeting is looked at, because somebody asked for it and was not answered"
    return [{ action: "REPAIRED", what, id, organizationId: null }]
  })

  return {
    /** Compares a meeting of the provider's list. */
    compare,
    /** Settles the booking that an unknown meeting may be the result of. */
    settle,
    /** Compares an appointment that is missing in the provider's list. */
    look
  }
})
