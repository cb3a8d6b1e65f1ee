import type { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { type CallOutcome, runForeignCall } from "@care/foreign-calls"
import { Job } from "@care/jobs"
import { makePatientKeys } from "@care/phi"
import { inTransaction, type PeerUnavailable } from "@care/service-kit"
import { Array as Arr, Context, Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CalendarEvents } from "../calendar/index.ts"
import {
  type BookingRefusal,
  type MeetingNow,
  outcomeUnknown,
  SchedulingProvider,
  type Unable,
  unsettled
} from "../provider/index.ts"
import { Appointments, type MeetingTaken } from "./appointments/Appointments.ts"
import { appointmentOf } from "./appointments/appointmentOf.ts"
import { providerAgent } from "./appointments/providerAgent.ts"
import { BookingSettling } from "./BookingSettling.ts"
import { type BookingRow, makeBookingsRepo } from "./BookingsRepo.ts"

/** What is to be booked. */
export type NewBooking = Omit<BookingRow, "state" | "askedAt">

/** What is booked, by whomever. */
type Slot = Pick<NewBooking, "eventTypeId" | "startsAt">

/** The provider is being asked at the moment. */
class StillAsked extends Data.TaggedError("StillAsked") {
  override get message() {
    return "The provider is still being asked"
  }
}

const outcomeOf = ({ _tag }: BookingRefusal | Unable | PeerUnavailable): CallOutcome => {
  if (_tag === "PeerUnavailable") return "UNKNOWN"
  // The meeting of an earlier try may be what is in the way: in the slot, or as the one that the event type allows somebody.
  return _tag === "ProviderBusy" || _tag === "ProviderNotConfigured" ? "BUSY" : "UNTAKEN"
}

/** When it is found out what became of a booking of which nobody has heard: whoever asked for it has given up by then. */
const settleAfter = Duration.minutes(1)

/** When that is done, as a rule. */
const settledAfter = Duration.minutes(5)

/** How long the provider may be at it: as long as its answer is waited for, and a little. */
const underWay = Duration.seconds(15)

// Bookings of one time and event type: there are rarely two.
const mostAtOnce = 100

/**
 * What the provider is asked to book. It is written down before the provider is asked, with the job that finds out what became
 * of it: so nothing that was booked is lost, and nothing is booked twice, though the provider knows no idempotency keys.
 */
export class Bookings extends Context.Service<
  Bookings,
  {
    readonly find: (organizationId: OrganizationId, id: CalendarEventId) => Effect.Effect<Option.Option<BookingRow>>
    /**
     * Has the provider book: the meeting. What was asked for before is looked for first. Dies as `PeerUnavailable` when nobody
     * knows what became of it: the same request again finds out, and so does a job.
     */
    readonly book: (booking: NewBooking, wasAsked: boolean) => Effect.Effect<MeetingNow, BookingRefusal | Unable>
    /** Stores a meeting as the appointment that a booking is to be, once, inside the caller's transaction if there is one. */
    readonly store: (booking: NewBooking, meeting: MeetingNow) => Effect.Effect<void, MeetingTaken>
    /**
     * Stores a booking that the provider has, though nobody asks again. One that it does not have came to nothing, until the partner
     * asks again or the provider tells of it.
     */
    readonly settle: (booking: {
      readonly organizationId: OrganizationId
      readonly bookingId: CalendarEventId
    }) => Effect.Effect<void, Unable | StillAsked>
    /** Whether somebody asked for a slot, and nobody knows though the job that finds out has had its time. */
    readonly isUnsettled: (slot: Slot) => Effect.Effect<boolean>
    /**
     * Has it found out what became of bookings that somebody with this email asked for, and that were not answered: whether there
     * are any.
     */
    readonly settleSoon: (sought: Slot & { readonly email: string }) => Effect.Effect<boolean>
  }
>()("@care/scheduling/bookings/Bookings") {
  static readonly layer = Layer.effect(
    Bookings,
    Effect.gen(function* () {
      const appointments = yield* Appointments
      const cancelBySubject = yield* Job.makeCancelBySubject
      const events = yield* CalendarEvents
      const patientKeys = yield* makePatientKeys
      const provider = yield* SchedulingProvider
      const repo = yield* makeBookingsRepo
      const settling = yield* BookingSettling
      const sql = yield* SqlClient.SqlClient

      const begin = Effect.fnUntraced(function* (booking: NewBooking) {
        const begun: BookingRow = { ...booking, state: "ASKED", askedAt: yield* DateTime.nowAsDate }
        const key = yield* patientKeys.of(booking.organizationId, booking.userId)
        yield* repo.asked(key, begun)
        const { id: bookingId, organizationId } = booking
        yield* settling.offer({ organizationId, bookingId }, { delay: settleAfter })
        return begun
      }, inTransaction(sql))

      // Who held the idempotency key for too long may have been followed by another try: what is of that one stays.
      const drop = Effect.fnUntraced(function* (begun: BookingRow) {
        if (yield* repo.refused(begun)) yield* cancelBySubject(begun.organizationId, begun.id)
      }, inTransaction(sql))

      const meetingOf = Effect.fnUntraced(function* (organizationId: OrganizationId, agentEventId: string) {
        const found = yield* provider.meeting(organizationId, agentEventId)
        return Option.isSome(found) ? found.value : yield* outcomeUnknown
      })

      // The id of the meeting that a booking became, where it is now, if the provider has one that is nobody else's.
      const look = Effect.fnUntraced(function* (booking: NewBooking) {
        const { asked, eventTypeId, firstAskedAt: askedAt, id, organizationId, startsAt } = booking
        const sought = { eventTypeId, startsAt, email: asked.email, askedAt }
        for (const moves of yield* provider.find(organizationId, sought)) {
          // An appointment whose move was not told yet is known by what it was before.
          const owners = yield* Effect.forEach(moves, (move) => events.findOfAgent(providerAgent, move))
          if (owners.every((owner) => Option.isNone(owner) || owner.value.id === id)) {
            return Arr.lastNonEmpty(moves)
          }
        }
        return undefined
      })

      const ask = (booking: NewBooking, wasAsked: boolean) => {
        const { asked, eventTypeId, organizationId, startsAt } = booking
        return runForeignCall({
          wasAsked,
          begin: begin(booking),
          call: () => provider.book(organizationId, { ...asked, eventTypeId, startsAt }),
          classify: outcomeOf,
          look: () => Effect.catchTags(look(booking), unsettled),
          drop,
          unknown: () => outcomeUnknown
        }).pipe(Effect.catchTag("PeerUnavailable", Effect.die))
      }

      const store = Effect.fn("Bookings.store")(function* (booking: NewBooking, meeting: MeetingNow) {
        if (!(yield* repo.booked(booking))) return
        yield* cancelBySubject(booking.organizationId, booking.id)
        yield* appointments.add(appointmentOf(booking, meeting, yield* DateTime.nowAsDate))
      }, inTransaction(sql))

      return Bookings.of({
        find: Effect.fn("Bookings.find")(repo.find),

        book: Effect.fn("Bookings.book")(function* (booking, wasAsked) {
          const agentEventId = yield* ask(booking, wasAsked)
          return yield* Effect.catchTags(meetingOf(booking.organizationId, agentEventId), unsettled)
        }),

        store,

        settle: Effect.fn("Bookings.settle")(function* ({ bookingId, organizationId }) {
          const found = yield* repo.find(organizationId, bookingId)
          if (Option.isNone(found) || found.value.state === "BOOKED") return
          const booking = found.value
          const until = DateTime.addDuration(DateTime.fromDateUnsafe(booking.askedAt), underWay)
          if (DateTime.isGreaterThan(until, yield* DateTime.now)) return yield* new StillAsked()
          const agentEventId = yield* look(booking)
          if (agentEventId === undefined) return yield* repo.missing(booking)
          const meeting = yield* meetingOf(organizationId, agentEventId)
          // Of two bookings that look for the same meeting, the other one was first.
          yield* Effect.catchTag(store(booking, meeting), "MeetingTaken", () => repo.missing(booking))
        }),

        isUnsettled: Effect.fn("Bookings.isUnsettled")(function* ({ eventTypeId, startsAt }) {
          const before = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, settledAfter))
          const unanswered = yield* repo.unanswered(eventTypeId, startsAt, mostAtOnce)
          return unanswered.some(({ askedAt }) => askedAt < before)
        }),

        settleSoon: Effect.fn("Bookings.settleSoon")(function* ({ email, eventTypeId, startsAt }) {
          const now = yield* DateTime.now
          const unanswered = yield* repo.unanswered(eventTypeId, startsAt, mostAtOnce)
          const theirs = unanswered.filter(({ asked }) => asked.email === email)
          for (const { askedAt, id: bookingId, organizationId } of theirs) {
            const over = DateTime.addDuration(DateTime.fromDateUnsafe(askedAt), underWay)
            const delay = Duration.max(DateTime.distance(now, over), Duration.zero)
            yield* settling.offer({ organizationId, bookingId }, { delay })
          }
          return theirs.length > 0
        })
      })
    })
  ).pipe(Layer.provide([Appointments.layer, BookingSettling.layer]))
}
