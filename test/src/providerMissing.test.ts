import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  appointmentsOf,
  book,
  bookingBody,
  cancel,
  clinicWithPatient,
  jobStatesOf,
  requestSlots
} from "./harness/appointments.ts"
import { calendarEvent, createEvent } from "./harness/calendar.ts"
import { expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { atSchedulingProvider } from "./harness/schedulingProvider.ts"
import { testsOn } from "./harness/testsOn.ts"

const missing = {
  status: 503,
  success: false,
  message: "Invalid request",
  error: "No scheduling provider is configured"
}

const layerWithout = Suite.layerWith({}, ["SCHEDULING_API_URL"])

testsOn(layerWithout, "without a scheduling provider", (it) => {
  const startTime = "2060-08-02T15:00:00.000Z"

  it("booking is a 503 that says so, also repeated, and leaves nothing", function* () {
    const { clinic, email } = yield* clinicWithPatient
    const key = randomUUID()
    for (const idempotencyKey of [undefined, key, key]) {
      yield* expectAnswer(book(clinic, bookingBody(email, startTime), idempotencyKey), 503, missing)
    }
    const test = caseBody(clinic, { isTest: true })
    yield* createCase(clinic, test)
    yield* expectAnswer(book(clinic, bookingBody(test.user.email, startTime)), 503, missing)
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "booking"), [])
    assert.strictEqual((yield* book(clinic, bookingBody("nobody@example.com", startTime))).status, 400)
  })

  it("open slots are a 503 that says so", function* () {
    const { clinic } = yield* clinicWithPatient
    yield* expectAnswer(requestSlots(clinic, 1, 2), 503, missing)
    assert.strictEqual((yield* requestSlots(clinic, 2, 1)).status, 400)
  })

  it("cancelling a meeting of the provider is a 503 that changes nothing; own events are cancelled", function* () {
    const { caseId, clinic, email } = yield* clinicWithPatient
    for (const agentName of ["calendly", "custom"]) {
      yield* createEvent(clinic, caseId, calendarEvent({ agentName, title: agentName }))
    }
    // An event from a time when a provider was configured.
    yield* inDatabase(
      "scheduling",
      (sql) => sql`
          UPDATE scheduling.calendar_events SET agent_event_id = ${randomUUID()}
          WHERE agent_name = 'calendly' AND organization_id = ${clinic.organizationId}
        `
    )
    const events: ReadonlyArray<{ id: string; agentName: string }> = yield* appointmentsOf(clinic, email)
    const idOf = (name: string) => events.find(({ agentName }) => agentName === name)?.id ?? assert.fail(name)
    for (const key of [undefined, randomUUID()]) {
      yield* expectAnswer(cancel(clinic, { email, appointmentId: idOf("calendly") }, key), 503, missing)
    }
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "cancellation"), ["cancelled", "cancelled"])
    assert.strictEqual((yield* cancel(clinic, { email, appointmentId: idOf("custom") })).status, 200)
    const remaining: typeof events = yield* appointmentsOf(clinic, email)
    assert.deepStrictEqual(
      remaining.map(({ agentName }) => agentName),
      ["calendly"]
    )
    assert.deepStrictEqual(yield* Effect.flatMap(atSchedulingProvider, ({ requests }) => requests), [])
  })
})
