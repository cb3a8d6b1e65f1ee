import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import {
  appointmentsOf,
  book,
  bookingBody,
  calendarOf,
  cancel,
  clinicWithPatient,
  isOpen,
  jobStatesOf,
  openSlot,
  runPendingJobs
} from "./harness/appointments.ts"
import { calendarEvent, cancelEvent, createEvent } from "./harness/calendar.ts"
import { expectAnswer } from "./harness/call.ts"
import { inDatabase, untilLockWaits } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { atSchedulingProvider } from "./harness/schedulingProvider.ts"
import { testsOn } from "./harness/testsOn.ts"

const invalid = { status: 400, success: false, message: "Invalid request" }

/** Starts changes of an event one after the other while its row is locked, each when the previous one waits for the lock. */
const whileEventIsHeld = <A, E, R>(id: string, changes: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.flatMap(
    inDatabase("scheduling", (sql) =>
      sql.withTransaction(
        Effect.andThen(
          sql`SELECT id FROM scheduling.calendar_events WHERE id = ${id} FOR UPDATE`,
          Effect.forEach(changes, (change, index) =>
            Effect.tap(Effect.forkChild(change), untilLockWaits("scheduling", index + 1, "calendar_events"))
          )
        )
      )
    ),
    Fiber.joinAll
  )

testsOn(Suite.layer, "cancelling an appointment", (it) => {
  const booked = Effect.gen(function* () {
    const provider = yield* atSchedulingProvider
    yield* provider.clearTroubles
    yield* provider.setDeliveryMode({ isHeld: true })
    const prepared = yield* clinicWithPatient
    const startTime = yield* openSlot(prepared.clinic)
    assert.strictEqual((yield* book(prepared.clinic, bookingBody(prepared.email, startTime))).status, 200)
    const [event] = yield* appointmentsOf(prepared.clinic, prepared.email)
    yield* provider.forgetRequests
    const body = { email: prepared.email, appointmentId: String(event.id) }
    return {
      ...prepared,
      body,
      event,
      path: `/scheduled_events/${event.agentEventId}/cancellation`,
      provider,
      startTime
    }
  })

  it("cancels at the provider with the reason, and removes it from the list and the case", function* () {
    const { body, caseId, clinic, email, path, provider, startTime } = yield* booked
    assert.isFalse(yield* isOpen(clinic, startTime))
    const answer = yield* cancel(clinic, { ...body, email: email.toUpperCase(), reason: "Travelling" })
    assert.deepStrictEqual(
      [answer.status, answer.json.status, answer.json.success, typeof answer.json.message],
      [200, 200, true, "string"]
    )
    const cancelRequest = (yield* provider.requests).find((delivery) => delivery.path === path)
    assert.deepStrictEqual(cancelRequest?.body, { reason: "Travelling" })
    assert.isTrue(yield* isOpen(clinic, startTime))
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    assert.deepStrictEqual(yield* calendarOf(clinic, caseId), [])
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "cancellation"), ["cancelled"])
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "appointment-reminder"), ["cancelled"])
    yield* expectAnswer(cancel(clinic, body), 400, { ...invalid, error: "Appointment has already been cancelled" })
  })

  it("is refused for other organizations, and for any email but the patient's", function* () {
    const { body, clinic, event } = yield* booked
    const other = yield* clinicWithPatient
    const neighbour = caseBody(clinic)
    yield* createCase(clinic, neighbour)
    for (const [requester, changes] of [
      [other.clinic, {}],
      [other.clinic, { email: other.email }],
      [clinic, { email: neighbour.user.email }],
      [clinic, { email: "nobody@example.com" }],
      [clinic, { appointmentId: randomUUID() }]
    ] as const) {
      yield* expectAnswer(cancel(requester, { ...body, ...changes }), 400, {
        ...invalid,
        error: "Appointment not found"
      })
    }
    assert.strictEqual((yield* appointmentsOf(clinic, body.email))[0].id, event.id)
  })

  it("an invalid request is refused with the reason", function* () {
    const { body, clinic } = yield* booked
    for (const [field, value] of [
      ["email", undefined],
      ["email", "nobody"],
      ["email", 1],
      ["appointmentId", undefined],
      ["appointmentId", "1"],
      ["appointmentId", 1],
      ["reason", 1]
    ] as const) {
      const { json, status } = yield* cancel(clinic, { ...body, [field]: value })
      assert.deepInclude(json, invalid)
      assert.strictEqual(status, 400)
      assert.match(json.error, new RegExp(`^${field}, `))
    }
  })

  it("is refused once the appointment has begun", function* () {
    const { body, clinic } = yield* booked
    yield* inDatabase(
      "scheduling",
      (sql) =>
        sql`UPDATE scheduling.calendar_events SET starts_at = now() - interval '1 second' WHERE id = ${body.appointmentId}`
    )
    yield* expectAnswer(cancel(clinic, body), 400, { ...invalid, error: "Appointment has already begun" })
  })

  it("by several callers at once is done once", function* () {
    const { body, clinic } = yield* booked
    const answers = yield* Effect.all(
      Array.from({ length: 5 }, () => cancel(clinic, body)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
    assert.deepStrictEqual([...new Set(answers.map(({ json }) => json.error))].length, 2)
  })

  it("and the case action CANCEL_CALENDAR_EVENT at the same time: the first one cancels", function* () {
    const { caseId, clinic, email } = yield* clinicWithPatient
    const already = (subject: string) => ({ ...invalid, error: `${subject} has already been cancelled` })
    for (const isActionFirst of [true, false]) {
      yield* createEvent(clinic, caseId)
      const [{ id }] = yield* appointmentsOf(clinic, email)
      const both = [cancelEvent(clinic, caseId, id), cancel(clinic, { email, appointmentId: id })]
      const [first, second] = yield* whileEventIsHeld(id, isActionFirst ? both : both.reverse())
      assert.strictEqual(first?.status, 200)
      assert.deepStrictEqual(second?.json, already(isActionFirst ? "Appointment" : "Calendar event"))
      assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    }
  })

  it("is found at the provider and answered if the response was lost", function* () {
    const { body, clinic, path, provider } = yield* booked
    yield* provider.addTrouble({ method: "POST", path, does: "hangUpAfter" })
    assert.strictEqual((yield* cancel(clinic, body)).status, 200)
    assert.deepStrictEqual(yield* appointmentsOf(clinic, body.email), [])
  })

  it("with an unknown outcome is completed by a job, and a repeat gets the answer", function* () {
    const { body, clinic, path, provider, startTime } = yield* booked
    const key = randomUUID()
    yield* provider.addTrouble({ method: "POST", path, does: "hangUpBefore" })
    assert.strictEqual((yield* cancel(clinic, body, key)).status, 503)
    assert.strictEqual((yield* appointmentsOf(clinic, body.email)).length, 1)
    assert.isFalse(yield* isOpen(clinic, startTime))
    yield* Effect.flatMap(SuiteTime, ({ advance }) => advance("1 minute"))
    yield* runPendingJobs(clinic, "cancellation")
    assert.deepStrictEqual(yield* appointmentsOf(clinic, body.email), [])
    assert.isTrue(yield* isOpen(clinic, startTime))
    assert.strictEqual((yield* cancel(clinic, body, key)).status, 200)
    assert.strictEqual((yield* cancel(clinic, body)).status, 400)
  })

  it("with an unknown outcome is completed by a job even if repeats exceed the rate limit", function* () {
    const { body, clinic, path, provider } = yield* booked
    const key = randomUUID()
    yield* provider.addTrouble({ method: "POST", path, does: "hangUpBefore" })
    assert.strictEqual((yield* cancel(clinic, body, key)).status, 503)
    yield* provider.addTrouble({ method: "POST", path, does: "rateLimit" })
    assert.strictEqual((yield* cancel(clinic, body, key)).status, 503)
    yield* Effect.flatMap(SuiteTime, ({ advance }) => advance("1 minute"))
    yield* runPendingJobs(clinic, "cancellation")
    assert.deepStrictEqual(yield* appointmentsOf(clinic, body.email), [])
    assert.strictEqual((yield* cancel(clinic, body, key)).status, 200)
  })

  it("that succeeded with a lost response, and was reported by the provider, is the answer to a repeat", function* () {
    const { body, clinic, event, path, provider } = yield* booked
    const key = randomUUID()
    yield* provider.addTrouble({ method: "POST", path, does: "hangUpAfter" })
    const invitees = `/scheduled_events/${event.agentEventId}/invitees`
    yield* provider.addTrouble({ method: "GET", path: invitees, does: "failBefore", times: 2 })
    assert.strictEqual((yield* cancel(clinic, body, key)).status, 503)
    yield* provider.sendEvents((yield* provider.pendingDeliveries).map((delivery) => delivery.event))
    assert.deepStrictEqual(yield* appointmentsOf(clinic, body.email), [])
    assert.strictEqual((yield* cancel(clinic, body, key)).status, 200)
  })

  it("of an appointment that was moved at the provider without an event yet cancels the new meeting", function* () {
    const { body, clinic, event, provider } = yield* booked
    const moved = yield* openSlot(clinic, 8)
    yield* provider.reschedule(event.agentEventId, "invitee", moved)
    assert.isFalse(yield* isOpen(clinic, moved))
    assert.strictEqual((yield* cancel(clinic, body)).status, 200)
    assert.isTrue(yield* isOpen(clinic, moved))
    yield* provider.sendEvents((yield* provider.pendingDeliveries).map((delivery) => delivery.event))
    assert.deepStrictEqual(yield* appointmentsOf(clinic, body.email), [])
  })

  it("changes nothing when the provider is at its rate limit or down", function* () {
    const { body, clinic, path, provider } = yield* booked
    yield* provider.addTrouble({ method: "POST", path, does: "rateLimit" })
    const busy = yield* cancel(clinic, body)
    assert.strictEqual(busy.status, 429)
    assert.isAtLeast(busy.json.retryAfter, 1)
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "cancellation"), ["cancelled"])
    assert.strictEqual((yield* appointmentsOf(clinic, body.email)).length, 1)
    assert.strictEqual((yield* cancel(clinic, body)).status, 200)
  })

  it("is refused for an event of another agent, and for one that only claims to be the provider's", function* () {
    const { caseId, clinic, email } = yield* clinicWithPatient
    for (const agentName of ["outlook", "calendly"]) yield* createEvent(clinic, caseId, calendarEvent({ agentName }))
    const events: ReadonlyArray<{ readonly id: string }> = yield* appointmentsOf(clinic, email)
    assert.lengthOf(events, 2)
    for (const { id } of events) {
      const answer = yield* cancel(clinic, { email, appointmentId: id })
      const error = "Appointment is kept by another agent"
      assert.deepStrictEqual([answer.status, answer.json], [400, { ...invalid, error }])
    }
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), events)
  })

  it("of events that the provider does not have is only done here: an event of a case, an appointment of a test case", function* () {
    const { caseId, clinic, email, provider } = yield* booked
    assert.strictEqual((yield* createEvent(clinic, caseId, calendarEvent({ title: "Custom" }))).status, 200)
    const event = (yield* appointmentsOf(clinic, email)).find(({ title }: { title: string }) => title === "Custom")
    yield* provider.forgetRequests
    assert.strictEqual((yield* cancel(clinic, { email, appointmentId: event.id })).status, 200)
    assert.deepStrictEqual(yield* provider.requests, [])
    assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
    const other = yield* makeClinic
    const body = caseBody(other, { isTest: true })
    yield* createCase(other, body)
    yield* book(other, bookingBody(body.user.email, yield* openSlot(other)))
    const [test] = yield* appointmentsOf(other, body.user.email)
    yield* provider.forgetRequests
    assert.strictEqual((yield* cancel(other, { email: body.user.email, appointmentId: test.id })).status, 200)
    assert.deepStrictEqual(yield* provider.requests, [])
    assert.deepStrictEqual(yield* appointmentsOf(other, body.user.email), [])
  })
})
