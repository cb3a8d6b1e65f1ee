import type { CaseSnapshot } from "@care/domain/cases"
import { type IdempotencyConflict, RequestInvalid } from "@care/domain/http"
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
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { CaseSnapshots, Directory } from "../cases/index.ts"
import { type BookingRefusal, SchedulingProvider } from "../provider/index.ts"
import { Appointments } from "./appointments/Appointments.ts"
import { appointmentOf } from "./appointments/appointmentOf.ts"
import { Bookings, type NewBooking } from "./Bookings.ts"
import { trackingOf } from "./trackingOf.ts"

type Refusal =
  | RequestInvalid
  | PatientCaseMissing
  | BookingRefusal
  | EventTypeShared
  | ProviderBusy
  | ProviderNotConfigured
  | IdempotencyConflict

interface BookedType {
  readonly title: string
  readonly minutes: number
}

const booking = onceOperation({
  name: "bookAppointment",
  version: 1,
  ids: { appointmentId: CalendarEventId },
  answer: Schema.Struct({ appointmentId: CalendarEventId })
})

/** How appointments are booked. */
export class NewAppointments extends Context.Service<
  NewAppointments,
  {
    /**
     * Books an appointment of a patient, on the newest of the patient's cases that is not archived; or answers the one that the
     * same idempotency key booked before. That of a test case is kept here, and the provider has none: the slot is only looked at.
     */
    readonly book: (
      organizationId: OrganizationId,
      request: BookAppointment,
      key: string | undefined
    ) => Effect.Effect<CalendarEventId, Refusal>
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
        const asked = {
          email,
          firstName: firstName ?? patient?.firstName ?? "",
          lastName: lastName ?? patient?.lastName ?? "",
          timezone,
          location,
          ...(tracking !== undefined && { tracking: trackingOf(tracking) })
        }
        const firstAskedAt = yield* DateTime.nowAsDate
        const made: NewBooking = {
          organizationId,
          id,
          caseId,
          userId,
          eventTypeId,
          startsAt: startTime,
          asked,
          firstAskedAt
        }
        return made
      })

      const testMeeting = Effect.fnUntraced(function* (
        { eventTypeId, organizationId, startsAt }: NewBooking,
        { minutes, title }: BookedType
      ) {
        const start = DateTime.fromDateUnsafe(startsAt)
        const endsAt = DateTime.toDateUtc(DateTime.add(start, { minutes }))
        // Times have years of four digits.
        if (endsAt.getUTCFullYear() > 9999) return yield* new SlotMissing()
        const next = DateTime.toDateUtc(DateTime.add(start, { minutes: 1 }))
        const open = yield* provider.slots(organizationId, eventTypeId, startsAt, next)
        if (!open.some(({ startTime }) => +startTime === +startsAt)) return yield* new SlotMissing()
        const nothing = { agentEventId: null, meetingLink: null, cancelUrl: null, rescheduleUrl: null, host: null }
        return { ...nothing, cancellation: null, timezone: null, title, startsAt, endsAt }
      })

      const bookTest = Effect.fnUntraced(function* (made: NewBooking, type: BookedType) {
        const meeting = yield* testMeeting(made, type)
        const event = appointmentOf(made, meeting, yield* DateTime.nowAsDate)
        return Effect.as(Effect.orDie(appointments.add(event)), { appointmentId: made.id })
      })

      const bookAtProvider = Effect.fnUntraced(function* (made: NewBooking, wasAsked: boolean) {
        const meeting = yield* bookings.book(made, wasAsked)
        return bookings.store(made, meeting).pipe(
          Effect.as({ appointmentId: made.id }),
          Effect.catchTag("MeetingTaken", () => new SlotTaken())
        )
      })

      const begin = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        request: BookAppointment,
        id: CalendarEventId
      ) {
        if (request.startTime <= (yield* DateTime.nowAsDate)) {
          return yield* RequestInvalid.inPayload("startTime", "must be in the future")
        }
        const found = yield* snapshots.newestOfCustomer(organizationId, request.email)
        const snapshot = yield* Effect.fromOption(found, () => new PatientCaseMissing())
        const type = yield* provider.eventType(organizationId, request.eventTypeId)
        const made = yield* newBooking(snapshot, request, id)
        return snapshot.isTest ? yield* bookTest(made, type) : yield* bookAtProvider(made, false)
      })

      return NewAppointments.of({
        book: Effect.fn("NewAppointments.book")(function* (organizationId, request, key) {
          const { appointmentId } = yield* once.run(
            booking,
            { organizationId, key, body: request },
            Effect.fnUntraced(function* ({ appointmentId }) {
              const known = yield* bookings.find(organizationId, appointmentId)
              if (Option.isNone(known)) return yield* begin(organizationId, request, appointmentId)
              return known.value.state === "BOOKED"
                ? Effect.succeed({ appointmentId })
                : yield* bookAtProvider(known.value, true)
            })
          )
          return appointmentId
        })
      })
    })
  ).pipe(Layer.provide([Appointments.layer, Bookings.layer]))
}
