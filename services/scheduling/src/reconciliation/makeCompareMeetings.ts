import type { OrganizationId } from "@care/domain/ids"
import type { SweptPage } from "@care/service"
import { DateTime, Effect } from "effect"
import { Appointments, Bookings } from "../bookings/index.ts"
import {
  cancellationOf,
  collectionOf,
  Invitee,
  isShared,
  meetingOf,
  ProviderApi,
  type ProviderRefusal,
  resourceOf,
  ScheduledEvent
} from "../provider/index.ts"
import type { StoredMeeting } from "./MeetingsRepo.ts"

// A cancellation here has reached the provider by then.
const cancellationPeriod = { hours: 1 }

/** The differences of a meeting. */
export type Differences = SweptPage["differences"]

const reported = (what: string, { agentEventId: id, organizationId }: StoredMeeting): Differences => [
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

  const inviteeOf = Effect.fnUntraced(function* (organizationId: OrganizationId | undefined, agentEventId: string) {
    const { collection } = yield* api.read(
      organizationId,
      `${pathOf(agentEventId)}/invitees`,
      {},
      collectionOf(Invitee)
    )
    return collection[0]
  })

  const eventAt = (organizationId: OrganizationId | undefined, agentEventId: string) =>
    Effect.map(
      api.read(organizationId, pathOf(agentEventId), {}, resourceOf(ScheduledEvent)),
      ({ resource }) => resource
    )

  // Returns the report of a moved meeting, as the provider's event would have it.
  const moveOf = Effect.fnUntraced(function* (
    organizationId: OrganizationId | undefined,
    movedFrom: string,
    agentEventId: string
  ) {
    const event = yield* eventAt(organizationId, agentEventId)
    const invitee = yield* inviteeOf(organizationId, agentEventId)
    const { event_type: eventTypeId } = event
    const move = { type: "invitee.created", agentEventId, movedFrom, eventTypeId, email: invitee?.email ?? "" } as const
    return { ...move, meeting: meetingOf(event, invitee) }
  })

  // Applies the end of a meeting, and the meeting that it was moved to. Both are read before anything is stored.
  const applyEnd = Effect.fnUntraced(function* (event: ScheduledEvent, stored: StoredMeeting) {
    const { organizationId } = stored
    const invitee = yield* inviteeOf(organizationId, event.uri)
    const movedTo = invitee?.new_invitee
    const move = typeof movedTo === "string" ? yield* moveOf(organizationId, event.uri, movedTo) : undefined
    const { canceledBy, reason } = cancellationOf(event.cancellation)
    const isMoved = move !== undefined
    const now = yield* DateTime.nowAsDate
    const canceled = { type: "invitee.canceled", agentEventId: event.uri, isMoved, canceledBy, reason } as const
    const { isNew: isEnded } = yield* appointments.observe(canceled, now)
    const isNew = isMoved ? (yield* appointments.observe(move, now)).isNew : isEnded
    // The same report came before and changed nothing, so it is not the provider's current state.
    if (!isNew) return reported("An appointment does not take place at the provider any more", stored)
    const what = isMoved
      ? "An appointment had been moved at the provider"
      : "An appointment had been called off at the provider"
    return [{ action: "REPAIRED", what, id: event.uri, organizationId }] satisfies Differences
  })

  const compare = Effect.fnUntraced(function* (event: ScheduledEvent, stored: StoredMeeting) {
    if (event.status !== "active") return stored.isDeleted ? [] : yield* applyEnd(event, stored)
    if (!stored.isDeleted) {
      const isMoved = +event.start_time !== +stored.startsAt
      return isMoved ? reported("An appointment begins at another time at the provider", stored) : []
    }
    const isSettled = stored.updatedAt < DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, cancellationPeriod))
    return isSettled ? reported("A cancelled appointment takes place at the provider", stored) : []
  })

  const compareMissing = Effect.fnUntraced(
    function* (stored: StoredMeeting) {
      return yield* compare(yield* eventAt(stored.organizationId, stored.agentEventId), stored)
    },
    (comparison, stored) =>
      Effect.catchIf(
        comparison,
        (refusal) => refusal._tag === "ProviderErrorResponse" && refusal.status === 404,
        () => Effect.succeed(reported("The provider does not know an appointment", stored))
      )
  )

  // A booking is searched by its original time: a meeting that was moved since is found by its old one, and a meeting
  // that was moved there is not a booking.
  const settle = Effect.fnUntraced(function* (event: ScheduledEvent): Effect.fn.Return<Differences, ProviderRefusal> {
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
    compareMissing
  }
})
