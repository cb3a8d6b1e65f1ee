import { randomBytes, randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  appointmentsOf,
  book,
  bookingBody,
  calendarOf,
  cancel,
  clinicWithPatient,
  jobStatesOf,
  openSlot,
  requestSlots,
  runPendingJobs
} from "./harness/appointments.ts"
import { call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import type { Clinic } from "./harness/fixtures.ts"
import { sendSchedulingEvent } from "./harness/providerEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { atSchedulingProvider } from "./harness/schedulingProvider.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.layer, "events of the scheduling provider", (it) => {
  /** Books an appointment whose event the provider has not sent yet. */
  const booked = Effect.gen(function* () {
    const provider = yield* atSchedulingProvider
    yield* provider.clearTroubles
    yield* provider.setDeliveryMode({ isHeld: true })
    yield* provider.sendEvents((yield* provider.pendingDeliveries).map(({ event }) => event))
    const prepared = yield* clinicWithPatient
    const startTime = yield* openSlot(prepared.clinic)
    assert.strictEqual((yield* book(prepared.clinic, bookingBody(prepared.email, startTime))).status, 200)
    const [event] = yield* appointmentsOf(prepared.clinic, prepared.email)
    return { ...prepared, event, provider, startTime }
  })

  const slots = (clinic: Clinic) =>
    Effect.map(requestSlots(clinic, 3, 23), ({ json }): ReadonlyArray<{ startTime: string }> => json.data)

  it("about a cancelled meeting remove it from the list and the case", function* () {
    const { caseId, clinic, email, event, provider } = yield* booked
    assert.strictEqual((yield* calendarOf(clinic, caseId)).length, 1)
    yield* provider.setDeliveryMode({ copies: 2 })
    yield* provider.cancel(event.agentEventId, "host", "The doctor is ill")
    yield* until(appointmentsOf(clinic, email), ({ length }) => length === 0)
    assert.deepStrictEqual(yield* calendarOf(clinic, caseId), [])
    const repeated = yield* cancel(clinic, { email, appointmentId: event.id })
    assert.deepStrictEqual([repeated.status, repeated.json.error], [400, "Appointment has already been cancelled"])
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "appointment-reminder"), ["cancelled"])
  })

  for (const isReversed of [false, true]) {
    it(`that say that a meeting was moved move it, told ${isReversed ? "the last one first" : "in order"}, and twice`, function* () {
      const { caseId, clinic, email, event, provider } = yield* booked
      const open = yield* slots(clinic)
      const [first, second] = [open[2]?.startTime ?? "", open[5]?.startTime ?? ""]
      yield* provider.sendEvents((yield* provider.pendingDeliveries).map((delivery) => delivery.event))
      const { event: moved } = yield* provider.reschedule(event.agentEventId, "invitee", first)
      yield* provider.reschedule(moved.uri.split("/").at(-1) ?? "", "host", second, "Australia/Lord_Howe")
      const waiting = (yield* provider.pendingDeliveries).map((delivery) => delivery.event)
      assert.strictEqual(waiting.length, 4)
      const order = isReversed ? [...waiting].reverse() : waiting
      const statuses = yield* provider.sendEvents([...order, ...order])
      assert.deepStrictEqual([...new Set(statuses)], [200])
      const [shown, ...others] = yield* appointmentsOf(clinic, email)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(shown, { id: event.id, start: second, isDeleted: false })
      assert.notStrictEqual(shown.agentEventId, event.agentEventId)
      // Only the times of the last event were stored until its predecessor arrived. Other details are read from the provider.
      if (isReversed) yield* runPendingJobs(clinic, "meeting-link")
      const after = (yield* appointmentsOf(clinic, email))[0].meetingDetails
      assert.isString(after.meetingLink)
      assert.notStrictEqual(after.meetingLink, event.meetingDetails.meetingLink)
      assert.isString(after.cancelURL)
      assert.notStrictEqual(after.cancelURL, event.meetingDetails.cancelURL)
      assert.strictEqual(shown.meetingDetails.timezone, "Australia/Lord_Howe")
      const [inCase] = yield* calendarOf(clinic, caseId)
      assert.deepInclude(inCase, { startDateTime: second, timezone: "Australia/Lord_Howe" })
      assert.strictEqual(
        (yield* jobStatesOf(clinic, "appointment-reminder")).filter((state) => state === "pending").length,
        1
      )
    })
  }

  it("about a moved and then cancelled meeting cancel it, also if the last event arrives first", function* () {
    const { clinic, email, event, provider } = yield* booked
    const open = yield* slots(clinic)
    const { event: moved } = yield* provider.reschedule(event.agentEventId, "invitee", open[3]?.startTime ?? "")
    yield* provider.cancel(moved.uri.split("/").at(-1) ?? "", "invitee")
    const waiting = (yield* provider.pendingDeliveries).map((delivery) => delivery.event)
    yield* provider.sendEvents([...waiting].reverse())
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
  })

  it("without a signature, with another secret, or signed long ago, change nothing: 401", function* () {
    const { clinic, email, event } = yield* booked
    const uri = `https://api.calendly.com/scheduled_events/${event.agentEventId}`
    const canceled = {
      event: "invitee.canceled",
      created_at: "2026-08-01T10:00:00.000000Z",
      payload: { uri: `${uri}/invitees/1`, event: uri, rescheduled: false, old_invitee: null }
    }
    for (const wrong of [{ secret: "of somebody else" }, { secondsAgo: 181 }, { secondsAgo: -240 }]) {
      assert.strictEqual((yield* sendSchedulingEvent(canceled, wrong)).status, 401)
    }
    for (const signature of ["nonsense", "t=,v1=", "t=1,v1=00"]) {
      const headers = { "calendly-webhook-signature": signature }
      const answer = yield* call("POST", "/webhooks/scheduling", { raw: JSON.stringify(canceled), headers })
      assert.strictEqual(answer.status, 401)
    }
    const bare = yield* call("POST", "/webhooks/scheduling", { raw: JSON.stringify(canceled) })
    assert.include([400, 401], bare.status)
    assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
    assert.strictEqual((yield* sendSchedulingEvent(canceled, { secondsAgo: 120 })).status, 200)
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
  })

  it("about places in a shared meeting change no appointment", function* () {
    const { clinic, email, event, startTime } = yield* booked
    const uri = `https://api.calendly.com/scheduled_events/${event.agentEventId}`
    const created_at = new Date().toISOString()
    const payload = { uri: `${uri}/invitees/1`, event: uri, email: "eva@example.com", rescheduled: false }
    const scheduled_event = { uri, status: "active", invitees_counter: { total: 2, active: 1, limit: 3 } }
    const canceled = { event: "invitee.canceled", created_at, payload: { ...payload, scheduled_event } }
    assert.strictEqual((yield* sendSchedulingEvent(canceled)).status, 200)
    const [shown] = yield* appointmentsOf(clinic, email)
    assert.strictEqual(shown.start, startTime)
    const alone = { ...scheduled_event, invitees_counter: { total: 1, active: 0, limit: 1 } }
    assert.strictEqual(
      (yield* sendSchedulingEvent({ ...canceled, payload: { ...payload, scheduled_event: alone } })).status,
      200
    )
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
  })

  it("about unknown appointments, or of unknown types, are accepted", function* () {
    const { clinic, email, provider, startTime } = yield* booked
    const tooLong = `https://api.calendly.com/scheduled_events/${randomBytes(10_000).toString("hex")}`
    for (const event of [
      { event: "routing_form_submission.created", created_at: "2026-08-01T10:00:00Z", payload: {} },
      { event: "invitee.canceled", created_at: "2026-08-01T10:00:00Z", payload: { event: "nonsense" } },
      { event: "invitee.canceled", created_at: "2026-08-01T10:00:00Z", payload: { event: tooLong } },
      { event: "invitee.created", created_at: "2026-08-01T10:00:00Z", payload: null }
    ]) {
      assert.strictEqual((yield* sendSchedulingEvent(event)).status, 200)
    }
    assert.strictEqual((yield* sendSchedulingEvent("nonsense")).status, 400)
    const { output } = yield* Suite
    const unread = output.filter((line) => line.includes("of the scheduling provider cannot be read"))
    assert.match(unread.join("\n"), /WARN.*An invitee\.created/)
    assert.notInclude(unread.join("\n"), "routing_form_submission")
    const open = yield* slots(clinic)
    yield* provider.takeSlot("et_demo_30min", open[1]?.startTime ?? "")
    const waiting = (yield* provider.pendingDeliveries).map((delivery) => delivery.event)
    assert.deepStrictEqual([...new Set(yield* provider.sendEvents(waiting))], [200])
    const shown = yield* appointmentsOf(clinic, email)
    assert.deepStrictEqual(
      shown.map(({ start }: { start: string }) => start),
      [startTime]
    )
  })

  it("take effect whatever characters are in a name or a reason: those that cannot be stored are replaced", function* () {
    const { caseId, clinic, email, event } = yield* booked
    const [api, created_at] = ["https://api.calendly.com", "2026-08-01T10:00:00.000000Z"]
    const [old, moved] = [`${api}/scheduled_events/${event.agentEventId}`, `${api}/scheduled_events/${randomUUID()}`]
    const [start_time, end_time] = ["2060-08-02T15:00:00.000000Z", "2060-08-02T15:30:00.000000Z"]
    const eventOf = (type: string, payload: Readonly<Record<string, unknown>>) =>
      Effect.map(sendSchedulingEvent({ event: type, created_at, payload }), ({ status }) =>
        assert.strictEqual(status, 200)
      )
    yield* eventOf("invitee.created", {
      uri: `${moved}/invitees/1`,
      event: moved,
      email,
      name: "Maria \udc00",
      old_invitee: `${old}/invitees/1`,
      scheduled_event: {
        uri: moved,
        name: "30\u0000 Minutes \ud800",
        status: "active",
        created_at,
        start_time,
        end_time,
        event_type: `${api}/event_types/et_demo_30min`
      }
    })
    const [shown] = yield* appointmentsOf(clinic, email)
    assert.deepInclude(shown, { id: event.id, title: "30\ufffd Minutes \ufffd", start: "2060-08-02T15:00:00.000Z" })
    yield* eventOf("invitee.canceled", {
      uri: `${moved}/invitees/1`,
      event: moved,
      rescheduled: false,
      cancellation: { canceled_by: "Maria\u0000", reason: "I am \ud800 well" }
    })
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    assert.deepStrictEqual(yield* calendarOf(clinic, caseId), [])
  })

  it("are kept without anything about a person that can be read", function* () {
    const { email, event, provider } = yield* booked
    yield* provider.cancel(event.agentEventId, "host", "The doctor is ill")
    yield* provider.sendEvents((yield* provider.pendingDeliveries).map((delivery) => delivery.event))
    const rows = yield* inDatabase("scheduling", (sql) => sql`SELECT * FROM scheduling.provider_events`)
    const text = JSON.stringify(rows)
    assert.include(text, event.agentEventId)
    for (const secret of [email, "The doctor is ill", "Maria"]) assert.notInclude(text, secret)
  })
})
