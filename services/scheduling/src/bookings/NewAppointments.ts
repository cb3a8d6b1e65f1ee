import type { CaseSnapshot } from "@care/domain/cases"
import { type IdempotencyConflict, lastMoment, RequestInvalid } from "@care/domain/http"
import { CalendarEventId, type OrganizationId } from "@care/domain/ids"
import {
  type BookAppointment,
  type EventTypeShared,
  PatientCaseMissing,
  type ProviderBusy,
  type ProviderNotConfigured,
  SlotMissing,
  SlotTaken
} from "@care/domain/scheduling"
import { Once, onceOperation } from "@care/once"
import { Time } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { CaseSnapshots, Directory } from "../cases/index.ts"
import { type BookingRefusal, SchedulingProvider } from "../provider/index.ts"
import { Appointments } from "./appointments/Appointments.ts"
import { appointmentOf } from "./appointments/appointmentOf.ts"
import { Bookings, type NewBooking } from "./Bookings.ts"
import { trackingOf } from "./trackingOf.ts"

type ProviderRefusal = BookingRefusal | EventTypeShared | ProviderBusy | ProviderNotConfigured
type Refusal = RequestInvalid | PatientCaseMissing | ProviderRefusal | IdempotencyConflict

interface EventType {
  readonly title: string
  readonly minutes: number
}

const after = (time: Date, minutes: number): Date =>
  DateTime.toDateUtc(DateTime.add(DateTime.fromDateUnsafe(time), { minutes }))

const bookAppointment = onceOperation({
  name: "bookAppointment",
  version: 1,
  ids: { appointmentId: CalendarEventId },
  lastingIds: ["appointmentId"],
  answer: Schema.Struct({ appointmentId: CalendarEventId })
})

/** The booking of appointments by partners. */
export class NewAppointments extends Context.Service<
  NewAppointments,
  {
    /**
     * Books an appointment for a patient's newest case that is not archived. A used idempotency key returns its appointment. For a test
     * case the slot is only checked, and the appointment is stored here alone.
     */
    readonly book: (
      organizationId: OrganizationId,
      request: BookAppointment,
      key: string | undefined
    ) => Effect.Effect<CalendarEventId, Refusal>
    /** Books an appointment with this id for a case, once. */
    readonly bookFor: (
      snapshot: CaseSnapshot,
      request: BookAppointment,
      id: CalendarEventId
    ) => Effect.Effect<void, ProviderRefusal>
  }
>()("@care/scheduling/bookings/NewAppointments") {
  static readonly layer = Layer.effect(
    NewAppointments,
    Effect.gen(function* () {
      const appointments = yield* Appointments
      const bookings = yield* Bookings
      const directory = yield* Directory
      const snapshots = yield* CaseSnapshots
      const once = yield* Once
      const provider = yield* SchedulingProvider

      const newBooking = Effect.fnUntraced(function* (
        { caseId, organizationId, userId }: CaseSnapshot,
        { email, eventTypeId, firstName, lastName, location, startTime, timezone, tracking }: BookAppointment,
        id: CalendarEventId
      ) {
        const patient = (yield* directory.people(organizationId, [userId])).get(userId)
        const details = {
          email,
          firstName: firstName ?? patient?.firstName ?? "",
          lastName: lastName ?? patient?.lastName ?? "",
          timezone,
          location,
          ...(tracking !== undefined && { tracking: trackingOf(tracking) })
        }
        const firstAskedAt = yield* DateTime.nowAsDate
        const booking: NewBooking = {
          organizationId,
          id,
          caseId,
          userId,
          eventTypeId,
          startsAt: startTime,
          asked: details,
          firstAskedAt
        }
        return booking
      })

      const testMeeting = Effect.fnUntraced(function* (
        { eventTypeId, organizationId, startsAt }: NewBooking,
        { minutes, title }: EventType
      ) {
        const endsAt = after(startsAt, minutes)
        const open = yield* provider.slots(organizationId, eventTypeId, startsAt, after(startsAt, 1))
        if (!open.some(({ startTime }) => +startTime === +startsAt)) return yield* new SlotMissing()
        const noDetails = { agentEventId: null, meetingLink: null, cancelUrl: null, rescheduleUrl: null, host: null }
        return { ...noDetails, cancellation: null, timezone: null, title, startsAt, endsAt }
      })

      const bookTest = Effect.fnUntraced(function* (booking: NewBooking, type: EventType) {
        const meeting = yield* testMeeting(booking, type)
        const event = appointmentOf(booking, meeting, yield* Time.nowAsDate)
        return Effect.as(Effect.orDie(appointments.add(event)), { appointmentId: booking.id })
      })

      const bookAtProvider = Effect.fnUntraced(function* (booking: NewBooking, isRepetition: boolean) {
        const meeting = yield* bookings.book(booking, isRepetition)
        return bookings.store(booking, meeting).pipe(
          Effect.as({ appointmentId: booking.id }),
          Effect.catchTag("MeetingTaken", () => new SlotTaken())
        )
      })

      const beginFor = Effect.fnUntraced(function* (
        snapshot: CaseSnapshot,
        request: BookAppointment,
        id: CalendarEventId
      ) {
        const type = yield* provider.eventType(snapshot.organizationId, request.eventTypeId)
        if (after(request.startTime, type.minutes) > lastMoment) return yield* new SlotMissing()
        const booking = yield* newBooking(snapshot, request, id)
        return snapshot.isTest ? yield* bookTest(booking, type) : yield* bookAtProvider(booking, false)
      })

      const begin = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        request: BookAppointment,
        id: CalendarEventId
      ) {
        if (request.startTime <= (yield* Time.nowAsDate)) {
          return yield* RequestInvalid.inPayload("startTime", "must be in the future")
        }
        const found = yield* snapshots.newestOfCustomer(organizationId, request.email)
        return yield* beginFor(yield* Effect.fromOption(found, () => new PatientCaseMissing()), request, id)
      })

      // Returns the result of a booking that was begun before, if there is one.
      const resume = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CalendarEventId) {
        const existing = yield* bookings.find(organizationId, id)
        if (Option.isNone(existing)) return undefined
        return existing.value.state === "BOOKED"
          ? Effect.succeed({ appointmentId: id })
          : yield* bookAtProvider(existing.value, true)
      })

      return NewAppointments.of({
        book: Effect.fn("NewAppointments.book")(function* (organizationId, request, key) {
          const { appointmentId } = yield* once.run(
            bookAppointment,
            { organizationId, key, body: request },
            Effect.fnUntraced(function* ({ appointmentId }) {
              const resumed = yield* resume(organizationId, appointmentId)
              return resumed ?? (yield* begin(organizationId, request, appointmentId))
            }),
            { isUsed: (ids) => Effect.map(bookings.find(organizationId, ids.appointmentId), Option.isSome) }
          )
          return appointmentId
        }),

        bookFor: Effect.fn("NewAppointments.bookFor")(function* (snapshot, request, id) {
          const resumed = yield* resume(snapshot.organizationId, id)
          yield* resumed ?? (yield* beginFor(snapshot, request, id))
        })
      })
    })
  ).pipe(Layer.provide([Appointments.layer, Bookings.layer]))
}
