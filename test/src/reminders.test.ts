import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  appointmentsOf,
  book,
  bookingBody,
  cancel,
  clinicWithPatient,
  eventTypeId,
  jobStatesOf,
  openSlot,
  requestSlots,
  runPendingJobs
} from "./harness/appointments.ts"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { closeCase } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { atSchedulingProvider } from "./harness/schedulingProvider.ts"
import { messagesTo } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const queue = "appointment-reminder"

const layerSuite = Suite.layerWith({ REMINDER_BEFORE: "36 hours" })

testsOn(layerSuite, "appointments", (it) => {
  const booked = (days: number) =>
    Effect.gen(function* () {
      const prepared = yield* clinicWithPatient
      const startTime = yield* openSlot(prepared.clinic, days)
      const body = bookingBody(prepared.email, startTime, { timezone: "Asia/Kolkata" })
      assert.strictEqual((yield* book(prepared.clinic, body)).status, 200)
      const [event] = yield* appointmentsOf(prepared.clinic, prepared.email)
      return { ...prepared, event, startTime }
    })

  const remindersTo = (email: string) =>
    Effect.gen(function* () {
      yield* jobsDone("auth", "case-notice")
      const all = yield* messagesTo(email)
      return all.filter(({ subject }) => subject?.startsWith("Your appointment at"))
    })

  it("are preceded by a reminder at the configured time, which has only the local time and the short id", function* () {
    const { caseId, clinic, email, startTime } = yield* booked(3)
    const waits = yield* inDatabase(
      "scheduling",
      (sql) => sql<{ before: number }>`
          SELECT extract(epoch FROM ${startTime}::timestamptz - due_at)::float8 AS before FROM scheduling.jobs
          WHERE queue_name = ${queue} AND organization_id = ${clinic.organizationId}
        `
    )
    assert.deepStrictEqual(
      waits.map(({ before }) => Math.round(before / 3600)),
      [36]
    )
    assert.deepStrictEqual(yield* remindersTo(email), [])
    yield* runPendingJobs(clinic, queue)
    const [reminder, ...others] = yield* remindersTo(email)
    assert.deepStrictEqual(others, [])
    const { shortId, title } = (yield* admin("GET", `/cases/${caseId}`)).json
    const day = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long", timeZone: "Asia/Kolkata" })
    assert.include(reminder?.text, day.format(new Date(startTime)))
    assert.include(reminder?.text, shortId)
    assert.notInclude(`${reminder?.subject} ${reminder?.text}`, title)
  })

  it("send no reminder if they were cancelled or their case is closed by then", function* () {
    const cancelled = yield* booked(3)
    assert.deepStrictEqual(yield* jobStatesOf(cancelled.clinic, queue), ["pending"])
    yield* cancel(cancelled.clinic, { email: cancelled.email, appointmentId: cancelled.event.id })
    assert.deepStrictEqual(yield* jobStatesOf(cancelled.clinic, queue), ["cancelled"])
    const closed = yield* booked(3)
    yield* closeCase(closed.clinic, closed.caseId)
    yield* until(appointmentsOf(closed.clinic, closed.email), ({ length }) => length === 0)
    yield* runPendingJobs(closed.clinic, queue)
    assert.deepStrictEqual(yield* jobStatesOf(closed.clinic, queue), ["cancelled"])
    assert.deepStrictEqual([...(yield* remindersTo(cancelled.email)), ...(yield* remindersTo(closed.email))], [])
  })

  it("send a reminder with the new time, and the time zone of the move, if they were moved", function* () {
    const { clinic, email, event } = yield* booked(3)
    const provider = yield* atSchedulingProvider
    const later = yield* openSlot(clinic, 8)
    yield* provider.reschedule(event.agentEventId, "invitee", later, "Pacific/Auckland")
    yield* until(appointmentsOf(clinic, email), ([moved]) => moved?.start === later)
    assert.deepStrictEqual((yield* jobStatesOf(clinic, queue)).sort(), ["cancelled", "pending"])
    yield* runPendingJobs(clinic, queue)
    const [reminder, ...others] = yield* remindersTo(email)
    assert.deepStrictEqual(others, [])
    const time = { dateStyle: "full", timeStyle: "long", timeZone: "Pacific/Auckland" } as const
    assert.include(reminder?.text, new Intl.DateTimeFormat("en-US", time).format(new Date(later)))
  })

  it("the open slots of an event type do not include taken ones", function* () {
    const { clinic } = yield* clinicWithPatient
    // Of a range from now on, the first slot could be over at the second look.
    const query = new URLSearchParams({
      event_type_id: eventTypeId,
      start_time: "2050-01-03T00:00:00Z",
      end_time: "2050-01-13T00:00:00Z"
    })
    const request = call("GET", `/api/v1/calendar/provider-availability?${query}`, { key: clinic.key })
    const answer = yield* request
    assert.deepInclude(answer.json, { status: 200, success: true })
    const [first] = answer.json.data
    assert.deepStrictEqual(Object.keys(first).sort(), ["inviteesRemaining", "startTime"])
    yield* Effect.flatMap(atSchedulingProvider, ({ takeSlot }) => takeSlot(eventTypeId, first.startTime))
    const remainingSlots = (yield* request).json.data
    assert.strictEqual(remainingSlots.length, answer.json.data.length - 1)
    // Finished appointments have no reminder, and the endpoint still works.
    assert.strictEqual((yield* requestSlots(clinic, -3, 3)).status, 200)
  })

  it("slots of a range that is too long, reversed, past or invalid: 400", function* () {
    const { clinic } = yield* clinicWithPatient
    for (const [from, to, error] of [
      [1, 32.01, "end_time, must be within 31 days of start_time"],
      [2, 1, "end_time, must be after start_time"],
      [-2, -1, "end_time, must be in the future"]
    ] as const) {
      yield* expectAnswer(requestSlots(clinic, from, to), 400, {
        status: 400,
        success: false,
        message: "Invalid request",
        error
      })
    }
    const path = "/api/v1/calendar/provider-availability"
    const range = "start_time=2050-01-03T10:00:00Z&end_time=2050-01-04T10:00:00Z"
    for (const [query, named] of [
      ["", "event_type_id"],
      [`event_type_id=${eventTypeId}`, "start_time"],
      [`event_type_id=${eventTypeId}&start_time=2050-01-01&end_time=2050-01-02`, "start_time"],
      [range, "event_type_id"]
    ] as const) {
      const answer = yield* call("GET", `${path}?${query}`, { key: clinic.key })
      assert.strictEqual(answer.status, 400)
      assert.include(answer.json.error, named)
    }
    for (const id of ["et_of_nobody", "et_demo_retired", ".", ".."]) {
      const unknown = yield* call("GET", `${path}?event_type_id=${id}&${range}`, { key: clinic.key })
      assert.deepStrictEqual([id, unknown.status, unknown.json.error], [id, 400, "Unknown event type"])
    }
    // An appointment without a slot at that time has no reminder.
    const night = "start_time=2050-01-03T03:00:00Z&end_time=2050-01-03T04:00:00Z"
    const none = yield* call("GET", `${path}?event_type_id=${eventTypeId}&${night}`, { key: clinic.key })
    assert.deepStrictEqual([none.status, none.json.data], [200, []])
  })

  // The last test, because it moves the suite's clock forward.
  it("whose reminder still fails when they begin are dead-lettered; those that merely began are not", function* () {
    const [late, failed] = [yield* booked(3), yield* booked(3)]
    yield* inDatabase(
      "scheduling",
      (sql) => sql`
          UPDATE scheduling.jobs SET attempts = 1, failing_since = now()
          WHERE queue_name = ${queue} AND organization_id = ${failed.clinic.organizationId}
        `
    )
    yield* Effect.flatMap(SuiteTime, (time) => time.advance("10 days"))
    yield* runPendingJobs(late.clinic, queue)
    yield* runPendingJobs(failed.clinic, queue)
    assert.deepStrictEqual(yield* jobStatesOf(late.clinic, queue), ["cancelled"])
    assert.deepStrictEqual(yield* jobStatesOf(failed.clinic, queue), ["failed"])
    assert.deepStrictEqual([...(yield* remindersTo(late.email)), ...(yield* remindersTo(failed.email))], [])
  })
})
