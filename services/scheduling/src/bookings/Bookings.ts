import type { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { type CallOutcome, runForeignCall } from "@care/foreign-calls"
import { Job } from "@care/jobs"
import { makePatientKeys } from "@care/phi"
import { inTransaction, makeModes, type PeerUnavailable, Time } from "@care/service-kit"
import { Array as Arr, Context, Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CalendarEvents } from "../calendar/index.ts"
import {
  type BookingRefusal,
  type CurrentMeeting,
  dieOutcomeUnknown,
  outcomeUnknown,
  type ProviderNotReady,
  SchedulingProvider
} from "../provider/index.ts"
import { Appointments, type MeetingTaken } from "./appointments/Appointments.ts"
import { appointmentOf } from "./appointments/appointmentOf.ts"
import { providerAgent } from "./appointments/providerAgent.ts"
import { BookingSettling } from "./BookingSettling.ts"
import { type BookingRow, makeBookingsRepo } from "./BookingsRepo.ts"

/** A booking before the provider is called. */
export type NewBooking = Omit<BookingRow, "state" | "askedAt">

/** A time of an event type. */
type Slot = Pick<NewBooking, "eventTypeId" | "startsAt">

/** The call of the provider may still be running. */
class BookingInProgress extends Data.TaggedError("BookingInProgress") {
  override get message() {
    return "The provider is still being asked"
  }
}

const outcomeOf = ({ _tag }: BookingRefusal | ProviderNotReady | PeerUnavailable): CallOutcome => {
  if (_tag === "PeerUnavailable") return "UNKNOWN"
  // The refusal may be due to the meeting of an earlier attempt: it has the slot, or is the only one that the invitee may have.
  return _tag === "ProviderBusy" || _tag === "ProviderNotConfigured" ? "BUSY" : "UNTAKEN"
}

/** The delay of the job that settles a booking. By then the request has ended. */
const settlingDelay = Duration.minutes(1)

/** The age at which the job has usually settled a booking. */
const settledAfter = Duration.minutes(5)

/** The longest call of the provider: its timeout and some reserve. */
const maxCallDuration = Duration.seconds(15)

const callEndOf = ({ askedAt }: BookingRow) => DateTime.addDuration(DateTime.fromDateUnsafe(askedAt), maxCallDuration)

// There are rarely two bookings of one time and event type.
const maxOfSlot = 100

/**
 * The bookings at the provider. Each is stored before the provider is called, with the job that settles it. So no booking is lost, and
 * none is made twice, although the provider has no idempotency keys.
 */
export class Bookings extends Context.Service<
  Bookings,
  {
    readonly find: (organizationId: OrganizationId, id: CalendarEventId) => Effect.Effect<Option.Option<BookingRow>>
    /**
     * Books at the provider, and returns the meeting. If an earlier attempt called the provider (`isRepetition`), its meeting is searched
     * first. Dies as `PeerUnavailable` when the outcome is unknown: a repeated request determines it, or a job.
     */
    readonly book: (
      booking: NewBooking,
      isRepetition: boolean
    ) => Effect.Effect<CurrentMeeting, BookingRefusal | ProviderNotReady>
    /** Stores the meeting of a booking as its appointment, once, inside the caller's transaction if there is one. */
    readonly store: (booking: NewBooking, meeting: CurrentMeeting) => Effect.Effect<void, MeetingTaken>
    /**
     * Determines the outcome of a booking: stores its meeting, or marks it missing until the partner repeats the request or the
     * provider reports the meeting.
     */
    readonly settle: (booking: {
      readonly organizationId: OrganizationId
      readonly bookingId: CalendarEventId
    }) => Effect.Effect<void, ProviderNotReady | BookingInProgress>
    /** Returns whether a booking of the slot has an unknown outcome although its job has had enough time. */
    readonly isUnsettled: (slot: Slot) => Effect.Effect<boolean>
    /** Starts the jobs that settle an invitee's bookings of unknown outcome, and returns whether there are any. */
    readonly settleSoon: (booking: Slot & { readonly email: string }) => Effect.Effect<boolean>
  }
>()("@care/scheduling/bookings/Bookings") {
  static readonly layer = Layer.effect(
    Bookings,
    Effect.gen(function* () {
      const appointments = yield* Appointments
      const cancelBySubject = yield* Job.makeCancelBySubject
      const events = yield* CalendarEvents
      const modes = yield* makeModes
      const patientKeys = yield* makePatientKeys
      const provider = yield* SchedulingProvider
      const repo = yield* makeBookingsRepo
      const settling = yield* BookingSettling
      const sql = yield* SqlClient.SqlClient

      // Those of the provider's account that tells of a meeting.
      const unconfirmed = Effect.fnUntraced(function* ({ eventTypeId, startsAt }: Slot) {
        const bookings = yield* repo.findUnconfirmed(eventTypeId, startsAt, maxOfSlot)
        return yield* Effect.filter(bookings, ({ organizationId }) => modes.isOfMode(organizationId))
      })

      const begin = Effect.fnUntraced(function* (booking: NewBooking) {
        const row: BookingRow = { ...booking, state: "ASKED", askedAt: yield* DateTime.nowAsDate }
        const key = yield* patientKeys.of(booking.organizationId, booking.userId)
        yield* repo.markAsked(key, row)
        const { id: bookingId, organizationId } = booking
        yield* settling.offer({ organizationId, bookingId }, { delay: settlingDelay })
        return row
      }, inTransaction(sql))

      // A request that outlived its idempotency key may have been followed by another attempt, whose booking stays.
      const discard = Effect.fnUntraced(function* (booking: BookingRow) {
        if (yield* repo.removeRefused(booking)) yield* cancelBySubject(booking.organizationId, booking.id)
      }, inTransaction(sql))

      const meetingOf = Effect.fnUntraced(function* (organizationId: OrganizationId, agentEventId: string) {
        const found = yield* provider.meeting(organizationId, agentEventId)
        return Option.isSome(found) ? found.value : yield* outcomeUnknown
      })

      // Returns the id of the booking's current meeting, unless it belongs to another appointment; undefined if there is none.
      const findResult = Effect.fnUntraced(function* (booking: NewBooking) {
        const { asked, eventTypeId, firstAskedAt: askedAt, id, organizationId, startsAt } = booking
        const criteria = { eventTypeId, startsAt, email: asked.email, askedAt }
        for (const moves of yield* provider.find(organizationId, criteria)) {
          // An appointment whose move was not reported yet has the id of an earlier meeting.
          const owners = yield* Effect.forEach(moves, (move) => events.findOfAgent(providerAgent, move))
          if (owners.every((owner) => Option.isNone(owner) || owner.value.id === id)) {
            return Arr.lastNonEmpty(moves)
          }
        }
        return undefined
      })

      const ask = (booking: NewBooking, isRepetition: boolean) => {
        const { asked, eventTypeId, organizationId, startsAt } = booking
        return runForeignCall({
          isRepetition,
          begin: begin(booking),
          call: () => provider.book(organizationId, { ...asked, eventTypeId, startsAt }),
          classify: outcomeOf,
          findResult: () => Effect.catchTags(findResult(booking), dieOutcomeUnknown),
          discard,
          unknown: () => outcomeUnknown
        }).pipe(Effect.catchTag("PeerUnavailable", Effect.die))
      }

      const store = Effect.fn("Bookings.store")(function* (booking: NewBooking, meeting: CurrentMeeting) {
        if (!(yield* repo.markBooked(booking))) return
        yield* cancelBySubject(booking.organizationId, booking.id)
        yield* appointments.add(appointmentOf(booking, meeting, yield* Time.nowAsDate))
      }, inTransaction(sql))

      return Bookings.of({
        find: Effect.fn("Bookings.find")(repo.find),

        book: Effect.fn("Bookings.book")(function* (booking, isRepetition) {
          const agentEventId = yield* ask(booking, isRepetition)
          return yield* Effect.catchTags(meetingOf(booking.organizationId, agentEventId), dieOutcomeUnknown)
        }),

        store,

        settle: Effect.fn("Bookings.settle")(function* ({ bookingId, organizationId }) {
          const found = yield* repo.find(organizationId, bookingId)
          if (Option.isNone(found) || found.value.state === "BOOKED") return
          const booking = found.value
          if (DateTime.isGreaterThan(callEndOf(booking), yield* DateTime.now)) return yield* new BookingInProgress()
          const agentEventId = yield* findResult(booking)
          if (agentEventId === undefined) return yield* repo.markMissing(booking)
          const meeting = yield* meetingOf(organizationId, agentEventId)
          // Another booking may have found the same meeting first.
          yield* Effect.catchTag(store(booking, meeting), "MeetingTaken", () => repo.markMissing(booking))
        }),

        isUnsettled: Effect.fn("Bookings.isUnsettled")(function* ({ eventTypeId, startsAt }) {
          const before = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, settledAfter))
          const bookings = yield* unconfirmed({ eventTypeId, startsAt })
          return bookings.some(({ askedAt }) => askedAt < before)
        }),

        settleSoon: Effect.fn("Bookings.settleSoon")(function* ({ email, eventTypeId, startsAt }) {
          const now = yield* DateTime.now
          const bookings = (yield* unconfirmed({ eventTypeId, startsAt })).filter(({ asked }) => asked.email === email)
          for (const booking of bookings) {
            const { id: bookingId, organizationId } = booking
            const delay = Duration.max(DateTime.distance(now, callEndOf(booking)), Duration.zero)
            yield* settling.offer({ organizationId, bookingId }, { delay })
          }
          return bookings.length > 0
        })
      })
    })
  ).pipe(Layer.provide([Appointments.layer, BookingSettling.layer]))
}
