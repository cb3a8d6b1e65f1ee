import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { CalendarEventId, CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { ProviderRefused, SlotTaken } from "@care/domain/scheduling"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Array as Arr, Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CalendarEvents } from "../calendar/calendarEvents/CalendarEvents.ts"
import { type CurrentMeeting, SchedulingProvider } from "../provider/SchedulingProvider.ts"
import { Bookings, type NewBooking } from "./Bookings.ts"
import { ReminderSettings } from "./reminders/ReminderSettings.ts"

const startsAt = new Date("2060-08-02T15:00:00.000Z")

const newMeeting = (): CurrentMeeting => ({
  agentEventId: randomUUID(),
  title: "30 Minute Consultation",
  startsAt,
  endsAt: new Date("2060-08-02T15:30:00.000Z"),
  meetingLink: "https://meet.example/1",
  cancelUrl: null,
  rescheduleUrl: null,
  host: null,
  timezone: null,
  cancellation: null
})

const newBooking = (): NewBooking => ({
  organizationId: OrganizationId.make(randomUUID()),
  id: CalendarEventId.make(randomUUID()),
  caseId: CaseId.make(randomUUID()),
  userId: UserId.make(randomUUID()),
  eventTypeId: "et_demo_30min",
  startsAt,
  asked: {
    email: "maria@example.com",
    firstName: "Maria",
    lastName: "Lopez",
    timezone: "America/New_York",
    location: "zoom_conference"
  },
  firstAskedAt: new Date("2060-08-01T15:00:00.000Z")
})

// A provider with one meeting. Each test says how it books, and which meetings it finds.
const layerProvider = (
  book: SchedulingProvider["Service"]["book"],
  meeting: CurrentMeeting,
  find: SchedulingProvider["Service"]["find"] = () => Effect.succeed([])
) =>
  Layer.succeed(
    SchedulingProvider,
    SchedulingProvider.of({
      book,
      find,
      meeting: () => Effect.succeedSome(meeting),
      cancel: () => Effect.void,
      slots: () => Effect.succeed([]),
      eventType: () => Effect.succeed({ title: meeting.title, minutes: 30 })
    })
  )

const TestLayer = CalendarEvents.layer.pipe(
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge(Layer.merge(layerAuditedDatabase("scheduling"), layerTestCipher)),
  Layer.merge(Layer.succeed(ReminderSettings, ReminderSettings.of({ before: Duration.hours(24) })))
)

layer(TestLayer, { excludeTestServices: true })("Bookings", (it) => {
  for (const isStored of [true, false]) {
    it.effect(`a refused attempt keeps the booking of a later attempt, ${isStored ? "" : "not yet "}stored`, () =>
      Effect.gen(function* () {
        const [booking, meeting, sql] = [newBooking(), newMeeting(), yield* SqlClient.SqlClient]
        const { id, organizationId } = booking
        let attempts = 0
        const book = Effect.fnUntraced(function* () {
          attempts += 1
          if (attempts > 1) return meeting.agentEventId
          const now = yield* Clock.currentTimeMillis
          yield* until(Clock.currentTimeMillis, (later) => later > now)
          const booked = yield* Effect.orDie(bookings.book(booking, true))
          if (isStored) yield* Effect.orDie(bookings.store(booking, booked))
          return yield* new SlotTaken()
        })
        const layerOwn = Layer.fresh(Bookings.layer).pipe(Layer.provide(layerProvider(book, meeting)))
        const bookings: Bookings["Service"] = Context.get(yield* Layer.build(layerOwn), Bookings)

        assert.strictEqual((yield* Effect.flip(bookings.book(booking, false)))._tag, "SlotTaken")
        if (!isStored) yield* bookings.store(booking, meeting)
        const stored = yield* Effect.flatMap(CalendarEvents, (events) => events.find(organizationId, id))
        assert.strictEqual(Option.getOrThrow(stored).agentEventId, meeting.agentEventId)
        const reminders = yield* sql`
            SELECT state FROM jobs WHERE queue_name = 'appointment-reminder' AND organization_id = ${organizationId}
          `
        assert.deepStrictEqual(reminders, [{ state: "pending" }])
      })
    )
  }

  it.effect(
    "an attempt that is refused because an earlier one has booked meanwhile returns the earlier one's meeting",
    () =>
      Effect.gen(function* () {
        const [booking, meeting] = [newBooking(), newMeeting()]
        let isBooked = false
        // The event type allows the patient one meeting.
        const book = Effect.fnUntraced(function* () {
          isBooked = true
          return yield* new ProviderRefused({ field: "email" })
        })
        const find = () => Effect.sync(() => (isBooked ? [Arr.of(meeting.agentEventId)] : []))
        const layerOwn = Layer.fresh(Bookings.layer).pipe(Layer.provide(layerProvider(book, meeting, find)))
        const bookings = Context.get(yield* Layer.build(layerOwn), Bookings)
        assert.deepStrictEqual(yield* bookings.book(booking, true), meeting)
      })
  )
})
