import type { CalendarEventId, OrganizationId } from "@care/domain/ids"
import type { ProviderBusy, ProviderNotConfigured } from "@care/domain/scheduling"
import { Job } from "@care/jobs"
import { makePatientKeys } from "@care/phi"
import { inTransaction } from "@care/service-kit"
import { Array as Arr, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CalendarEvents } from "../calendar/index.ts"
import {
  type BookingRefusal,
  type MeetingNow,
  outcomeUnknown,
  SchedulingProvider,
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

type Unable = ProviderBusy | ProviderNotConfigured

/** When it is found out what became of a booking of which nobody has heard: whoever asked for it has given up by then. */
export const settleAfter = Duration.minutes(1)

/** When that is done, as a rule. */
const settledAfter = Duration.minutes(5)

/** How long the provider may be at it: as long as its answer is waited for, and a little. */
export const underWay = Duration.seconds(15)

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
    /** The meeting that a booking became, where it is now, or how it ended, if the provider has one that is nobody else's. */
    readonly look: (booking: NewBooking) => Effect.Effect<Option.Option<MeetingNow>, Unable>
    /** Stores a meeting as the appointment that a booking is to be, once, inside the caller's transaction if there is one. */
    readonly store: (booking: NewBooking, meeting: MeetingNow) => Effect.Effect<void, MeetingTaken>
    /** Says that the provider does not have it, unless it was asked again meanwhile. */
    readonly giveUp: (booking: BookingRow) => Effect.Effect<void>
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

      const begin = Effect.fnUntraced(
        function* (booking: NewBooking) {
          const begun: BookingRow = { ...booking, state: "ASKED", askedAt: yield* DateTime.nowAsDate }
          const key = yield* patientKeys.of(booking.organizationId, booking.userId)
          yield* repo.asked(key, begun)
          const { id: bookingId, organizationId } = booking
          yield* settling.offer({ organizationId, bookingId }, { delay: settleAfter })
          return begun
        },
        (begun) => inTransaction(sql)(begun)
      )

      // Who held the idempotency key for too long may have been followed by another try: what is of that one stays.
      const drop = Effect.fnUntraced(
        function* (begun: BookingRow) {
          if (yield* repo.refused(begun)) yield* cancelBySubject(begun.organizationId, begun.id)
        },
        (dropped) => inTransaction(sql)(dropped)
      )

      const meetingOf = Effect.fnUntraced(function* (organizationId: OrganizationId, agentEventId: string) {
        const found = yield* provider.meeting(organizationId, agentEventId)
        return Option.isSome(found) ? found.value : yield* outcomeUnknown
      })

      const look = Effect.fn("Bookings.look")(function* (booking: NewBooking) {
        const { asked, eventTypeId, firstAskedAt: askedAt, id, organizationId, startsAt } = booking
        const sought = { eventTypeId, startsAt, email: asked.email, askedAt }
        for (const moves of yield* provider.find(organizationId, sought)) {
          // An appointment whose move was not told yet is known by what it was before.
          const owners = yield* Effect.forEach(moves, (move) => events.findOfAgent(providerAgent, move))
          if (owners.every((owner) => Option.isNone(owner) || owner.value.id === id)) {
            return Option.some(yield* meetingOf(organizationId, Arr.lastNonEmpty(moves)))
          }
        }
        return Option.none()
      })

      const lookOr = <E>(booking: NewBooking, otherwise: Effect.Effect<MeetingNow, E>) =>
        look(booking).pipe(
          Effect.catchTags(unsettled),
          Effect.flatMap((found) => (Option.isSome(found) ? Effect.succeed(found.value) : otherwise))
        )

      const ask = ({ asked, eventTypeId, organizationId, startsAt }: NewBooking) =>
        Effect.map(provider.book(organizationId, { ...asked, eventTypeId, startsAt }), (agentEventId) =>
          Effect.catchTags(meetingOf(organizationId, agentEventId), unsettled)
        )

      const askFirst = Effect.fnUntraced(function* (booking: NewBooking) {
        const begun = yield* begin(booking)
        return yield* ask(booking).pipe(
          Effect.tapError(({ _tag }) => (_tag === "PeerUnavailable" ? Effect.void : drop(begun))),
          Effect.catchTag("PeerUnavailable", () => Effect.succeed(lookOr(booking, outcomeUnknown))),
          Effect.flatten
        )
      })

      // Of what was asked for before, an earlier try may have come through by now.
      const askAgain = (booking: NewBooking) =>
        Effect.andThen(begin(booking), ask(booking)).pipe(
          Effect.catchTags({
            ...unsettled,
            PeerUnavailable: () => Effect.succeed(lookOr(booking, outcomeUnknown))
          }),
          // It may be what is in the way: in the slot, or as the one meeting that the event type allows somebody.
          Effect.catch((refused) => Effect.succeed(lookOr(booking, Effect.fail(refused)))),
          Effect.flatten
        )

      return Bookings.of({
        find: Effect.fn("Bookings.find")(repo.find),

        book: Effect.fn("Bookings.book")((booking, wasAsked) =>
          wasAsked ? lookOr(booking, askAgain(booking)) : askFirst(booking)
        ),

        look,

        store: Effect.fn("Bookings.store")(function* (booking, meeting) {
          if (!(yield* repo.booked(booking))) return
          yield* cancelBySubject(booking.organizationId, booking.id)
          yield* appointments.add(appointmentOf(booking, meeting, yield* DateTime.nowAsDate))
        }, inTransaction(sql)),

        giveUp: Effect.fn("Bookings.giveUp")(repo.missing),

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
