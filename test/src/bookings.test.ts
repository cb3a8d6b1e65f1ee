import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  appointmentsOf,
  book,
  bookingBody,
  bookingRequestCount,
  calendarOf,
  clinicWithPatient,
  eventTypeId,
  jobStatesOf,
  openSlot,
  requestSlots,
  runPendingJobs
} from "./harness/appointments.ts"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { closeCase } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { atSchedulingProvider, meetingsOf } from "./harness/schedulingProvider.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const slotsOf = (clinic: Clinic, eventType: string) =>
  Effect.map(
    requestSlots(clinic, 3, 23, "", eventType),
    ({ json }): ReadonlyArray<string> => json.data.map(({ startTime }: { readonly startTime: string }) => startTime)
  )

const idOf = ({ uri }: { readonly uri: string }) => uri.split("/").at(-1) ?? ""

const invalid = { status: 400, success: false, message: "Invalid request" }

testsOn(Suite.layer, "booking an appointment", (it) => {
  const ready = Effect.gen(function* () {
    const provider = yield* atSchedulingProvider
    yield* provider.clearTroubles
    yield* provider.forgetRequests
    yield* provider.setDeliveryMode({ isHeld: true })
    const prepared = yield* clinicWithPatient
    return { ...prepared, provider, startTime: yield* openSlot(prepared.clinic) }
  })

  it("shows the meeting's link once the provider has created the conference, and stops asking after a cancellation", function* () {
    const { clinic, email, provider, startTime } = yield* ready
    const linkOf = Effect.map(appointmentsOf(clinic, email), ([event]) => event.meetingDetails.meetingLink)
    yield* Effect.gen(function* () {
      yield* provider.haveLinksLate(true)
      assert.strictEqual((yield* book(clinic, bookingBody(email, startTime))).status, 200)
      assert.strictEqual(yield* linkOf, "")
      const { organizationId } = clinic
      const attempts = inDatabase(
        "scheduling",
        (sql) => sql<{ attempts: number }>`
            UPDATE scheduling.jobs SET due_at = least(due_at, now())
            WHERE queue_name = 'meeting-link' AND organization_id = ${organizationId} AND state = 'pending'
            RETURNING attempts
          `
      )
      yield* until(attempts, ([job]) => job !== undefined && job.attempts > 0)
      assert.strictEqual(yield* linkOf, "")
    }).pipe(Effect.ensuring(provider.haveLinksLate(false)))
    yield* runPendingJobs(clinic, "meeting-link")
    assert.match(yield* linkOf, /^https:/)
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "meeting-link"), ["completed"])

    const other = yield* ready
    yield* provider.haveLinksLate(true)
    yield* book(other.clinic, bookingBody(other.email, other.startTime)).pipe(
      Effect.ensuring(provider.haveLinksLate(false))
    )
    const [event] = yield* appointmentsOf(other.clinic, other.email)
    const body = { email: other.email, appointmentId: event.id }
    const cancelled = yield* call("POST", "/api/v1/calendar/appointments/cancel", { key: other.clinic.key, body })
    assert.strictEqual(cancelled.status, 200)
    assert.deepStrictEqual(yield* jobStatesOf(other.clinic, "meeting-link"), ["cancelled"])
  })

  it("books at the provider, and shows the appointment in the list and in the case", function* () {
    const { caseId, clinic, email, provider, startTime, user } = yield* ready
    const tracking = { utmCampaign: "summer", utmSource: null }
    const answer = yield* book(clinic, bookingBody(email.toUpperCase(), startTime.slice(0, 16), { tracking }))
    assert.deepStrictEqual(
      [answer.status, answer.json.status, answer.json.success, typeof answer.json.message],
      [200, 200, true, "string"]
    )
    const bookingRequest = (yield* provider.requests).find(({ path }) => path === "/invitees")
    assert.deepInclude(bookingRequest?.body, {
      start_time: startTime,
      invitee: {
        email,
        first_name: user.firstName,
        last_name: user.lastName,
        name: `${user.firstName} ${user.lastName}`,
        timezone: "America/Los_Angeles"
      },
      location: { kind: "google_conference" },
      tracking: {
        utm_campaign: "summer",
        utm_source: null,
        utm_medium: null,
        utm_content: null,
        utm_term: null,
        salesforce_uuid: null
      }
    })
    const [event, ...others] = yield* appointmentsOf(clinic, email)
    assert.deepStrictEqual(others, [])
    assert.deepInclude(event, {
      title: "30 Minute Consultation",
      start: startTime,
      end: new Date(Date.parse(startTime) + 30 * 60_000).toISOString(),
      agentName: "calendly",
      status: "SCHEDULED",
      isDeleted: false
    })
    assert.strictEqual(event.case.id, caseId)
    assert.match(event.meetingDetails.meetingLink, /^https:/)
    assert.match(event.meetingDetails.cancelURL, /^https:/)
    assert.match(event.meetingDetails.rescheduleURL, /^https:/)
    assert.strictEqual(event.meetingDetails.host.name, "Dr. Jane Rivera")
    const [calendarEvent] = yield* calendarOf(clinic, caseId)
    assert.deepInclude(calendarEvent, { id: event.id, startDateTime: startTime, timezone: "America/Los_Angeles" })
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "booking"), ["cancelled"])
  })

  it("belongs to the patient's newest open case, and is a 400 if there is none", function* () {
    const { caseId, clinic, email, startTime, user } = yield* ready
    const other = yield* makeClinic
    const nobody = { ...invalid, error: "No open case of a patient with this email" }
    for (const [caller, patientEmail] of [
      [clinic, "nobody@example.com"],
      [other, email]
    ] as const) {
      yield* expectAnswer(book(caller, bookingBody(patientEmail, startTime)), 400, nobody)
    }
    yield* closeCase(clinic, caseId)
    assert.deepStrictEqual((yield* book(clinic, bookingBody(email, startTime))).json, nobody)
    const newer = yield* createCase(clinic, caseBody(clinic, { user }))
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime))).status, 200)
    const [event] = yield* appointmentsOf(clinic, email)
    assert.strictEqual(event.case.id, newer.json.data.caseId)
    assert.strictEqual(yield* bookingRequestCount, 1)
  })

  it("an invalid request is refused with the reason, and the provider is not called", function* () {
    const { clinic, email, startTime } = yield* ready
    const { clock } = yield* SuiteTime
    const inSeconds = (seconds: number) => new Date(clock.currentTimeMillisUnsafe() + seconds * 1000).toISOString()
    const good = bookingBody(email, startTime)
    const wrong: ReadonlyArray<readonly [field: string, value: unknown]> = [
      ...["eventTypeId", "startTime", "email", "timezone", "location"].flatMap((field) => [
        [field, undefined] as const,
        [field, 1] as const,
        [field, ""] as const
      ]),
      ["startTime", "2030-01-01"],
      ["startTime", inSeconds(-1)],
      ["startTime", "2060-02-30T10:00:00Z"],
      ["timezone", "Mars/Olympus"],
      ["timezone", "+02:00"],
      ["location", "phone"],
      ["email", "nobody"],
      ["firstName", 1],
      ["lastName", {}],
      ["tracking", "utm"],
      ["tracking", { utmCampaign: 1 }]
    ]
    for (const [field, value] of wrong) {
      const { json, status } = yield* book(clinic, { ...good, [field]: value })
      assert.deepInclude(json, invalid)
      assert.strictEqual(status, 400)
      assert.match(json.error, new RegExp(`^${field}(\\.utmCampaign)?, `), JSON.stringify(value))
    }
    const misled = yield* book(clinic, { ...good, tracking: { utmCampaign: 1 } })
    assert.strictEqual(misled.json.error, "tracking.utmCampaign, must be a text")
    const past = yield* book(clinic, { ...good, startTime: inSeconds(-1) })
    assert.strictEqual(past.json.error, "startTime, must be in the future")
    for (const raw of ["", "[]", "nonsense", "null"]) {
      const answer = yield* call("POST", "/api/v1/calendar/appointments", { key: clinic.key, raw })
      assert.strictEqual(answer.status, 400)
      assert.deepInclude(answer.json, invalid)
    }
    assert.strictEqual(yield* bookingRequestCount, 0)
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "booking"), [])
    const soon = yield* book(clinic, { ...good, startTime: inSeconds(30) })
    assert.strictEqual(soon.json.error, "The start time is not an open slot of the event type")
  })

  it("accepts any location and time zone, and any named invitee", function* () {
    const { clinic, email, provider } = yield* ready
    const open: ReadonlyArray<{ readonly startTime: string }> = (yield* requestSlots(clinic, 3, 23)).json.data
    const requests = [
      ["google_conference", "UTC"],
      ["zoom_conference", "America/Phoenix"],
      ["gotomeeting_conference", "Asia/Calcutta"],
      ["microsoft_teams_conference", "Australia/Lord_Howe"],
      ["webex_conference", "Europe/London"]
    ]
    for (const [index, [location, timezone]] of requests.entries()) {
      const changes = { location, timezone, firstName: "Mariana", lastName: "de la Cruz" }
      const answer = yield* book(clinic, bookingBody(email, open[index]?.startTime ?? "", changes))
      assert.deepStrictEqual([location, answer.status], [location, 200])
    }
    const events: ReadonlyArray<{ readonly meetingDetails: object }> = yield* appointmentsOf(clinic, email)
    assert.lengthOf(events, requests.length)
    for (const [index, [location, timezone]] of requests.entries()) {
      assert.deepInclude(events[index]?.meetingDetails, { location, timezone })
    }
    for (const { body } of (yield* provider.requests).filter(({ path }) => path === "/invitees")) {
      assert.include(JSON.stringify(body), '"name":"Mariana de la Cruz"')
    }
  })

  it("is refused by the provider for an unknown event type, a time that is not a slot, and a taken slot", function* () {
    const { clinic, email, provider, startTime } = yield* ready
    yield* provider.takeSlot(eventTypeId, startTime)
    const later = new Date(Date.parse(startTime) + 7 * 60_000).toISOString()
    for (const [changes, error] of [
      [{ eventTypeId: "et_of_nobody" }, "Unknown event type"],
      [{ eventTypeId: "et_demo_retired" }, "Unknown event type"],
      [{ startTime: later }, "The start time is not an open slot of the event type"],
      [{ startTime: "9999-12-31T23:59:59.999Z" }, "The start time is not an open slot of the event type"],
      [{}, "The slot is already taken"],
      // It overlaps.
      [{ eventTypeId: "et_demo_15min" }, "The slot is already taken"]
    ] as const) {
      yield* expectAnswer(book(clinic, bookingBody(email, startTime, changes)), 400, { ...invalid, error })
    }
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    assert.notInclude(yield* jobStatesOf(clinic, "booking"), "pending")
  })

  it("is refused for event types with shared slots, and the provider is not called to book", function* () {
    const { clinic, email, startTime } = yield* ready
    const answer = yield* book(clinic, bookingBody(email, startTime, { eventTypeId: "et_demo_shared_60min" }))
    const error = "Event types with several places a slot cannot be booked"
    assert.deepStrictEqual([answer.status, answer.json], [400, { ...invalid, error }])
    assert.strictEqual(yield* bookingRequestCount, 0)
  })

  it("is refused to a patient who has as many appointments as the event type allows", function* () {
    const { clinic, email } = yield* ready
    const [first, second] = yield* slotsOf(clinic, "et_demo_single_30min")
    const single = (startTime = "") =>
      book(clinic, bookingBody(email, startTime, { eventTypeId: "et_demo_single_30min" }))
    assert.strictEqual((yield* single(first)).status, 200)
    const answer = yield* single(second)
    const error = "email, refused by the scheduling provider"
    assert.deepStrictEqual([answer.status, answer.json], [400, { ...invalid, error }])
    assert.lengthOf(yield* appointmentsOf(clinic, email), 1)
  })

  it("is a 500 while the provider account may not book, and the same request succeeds once it may", function* () {
    const { clinic, email, provider, startTime } = yield* ready
    yield* provider.haveFreePlan(true)
    const booking = book(clinic, bookingBody(email, startTime), "a-key")
    assert.strictEqual((yield* Effect.ensuring(booking, provider.haveFreePlan(false))).status, 500)
    const { output } = yield* Suite
    assert.include(output.join("\n"), "lets SCHEDULING_API_TOKEN book nothing (403)")
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    assert.strictEqual((yield* booking).status, 200)
    assert.lengthOf(yield* appointmentsOf(clinic, email), 1)
  })

  it("of one slot by two callers at once succeeds for one, and the other learns that it is taken", function* () {
    const { clinic, email, startTime } = yield* ready
    const other = yield* clinicWithPatient
    const answers = yield* Effect.all(
      [book(clinic, bookingBody(email, startTime)), book(other.clinic, bookingBody(other.email, startTime))],
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 400])
    const loser = answers.find(({ status }) => status === 400)
    assert.deepStrictEqual(loser?.json, { ...invalid, error: "The slot is already taken" })
    const all = [...(yield* appointmentsOf(clinic, email)), ...(yield* appointmentsOf(other.clinic, other.email))]
    assert.strictEqual(all.length, 1)
  })

  it("with one idempotency key is one appointment, for repeated and parallel requests", function* () {
    const { clinic, email, startTime } = yield* ready
    const [key, body] = [randomUUID(), bookingBody(email, startTime)]
    const answers = yield* Effect.all(
      Array.from({ length: 5 }, () => book(clinic, body, key)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200]
    )
    assert.strictEqual((yield* book(clinic, body, key)).status, 200)
    const conflict = yield* book(clinic, { ...body, timezone: "UTC" }, key)
    assert.deepInclude([conflict.status, conflict.json.code], "IDEMPOTENCY_ERROR")
    assert.strictEqual(conflict.status, 409)
    assert.strictEqual(yield* bookingRequestCount, 1)
    assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
  })

  it("is found at the provider at once if the response was lost", function* () {
    const { clinic, email, provider, startTime } = yield* ready
    yield* provider.addTrouble({ method: "POST", path: "/invitees", does: "hangUpAfter" })
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime))).status, 200)
    assert.strictEqual(yield* bookingRequestCount, 1)
    assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
  })

  for (const does of ["hangUpBefore", "hangUpAfter", "failBefore", "failAfter"] as const) {
    it(`that ends in ${does} while nothing can be looked up is booked once by the same request again`, function* () {
      const { clinic, email, provider, startTime } = yield* ready
      const [key, body] = [randomUUID(), bookingBody(email, startTime)]
      yield* provider.addTrouble({ method: "POST", path: "/invitees", does })
      yield* provider.addTrouble({ method: "GET", path: "/scheduled_events", does: "failBefore", times: 2 })
      const lost = yield* book(clinic, body, key)
      assert.strictEqual(lost.status, 503)
      assert.isAtLeast(Number(lost.headers.get("retry-after")), 1)
      assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
      assert.strictEqual((yield* book(clinic, body, key)).status, 200)
      assert.strictEqual(yield* bookingRequestCount, does.endsWith("After") ? 1 : 2)
      assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
      yield* Effect.flatMap(SuiteTime, ({ advance }) => advance("2 minutes"))
      yield* runPendingJobs(clinic, "booking")
      assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
    })
  }

  // Makes a booking whose response is lost.
  const lose = Effect.gen(function* () {
    const prepared = yield* ready
    const { clinic, email, provider, startTime } = prepared
    yield* provider.addTrouble({ method: "POST", path: "/invitees", does: "hangUpAfter" })
    yield* provider.addTrouble({ method: "GET", path: "/scheduled_events", does: "failBefore", times: 2 })
    const key = randomUUID()
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime), key)).status, 503)
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    return { ...prepared, key }
  })

  it("is found by a job if the response was lost, and a later repeat gets it", function* () {
    const { clinic, email, key, startTime } = yield* lose
    yield* Effect.flatMap(SuiteTime, ({ advance }) => advance("1 minute"))
    yield* runPendingJobs(clinic, "booking")
    const [event] = yield* appointmentsOf(clinic, email)
    assert.strictEqual(event.start, startTime)
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime), key)).status, 200)
    assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
    assert.strictEqual(yield* bookingRequestCount, 1)
  })

  for (const arrival of ["before", "afterwards", "never"] as const) {
    it(`whose answer was lost, and which the patient moves before it is found, is found where it is then, told ${arrival}`, function* () {
      const { caseId, clinic, email, key, provider, startTime } = yield* lose
      const [first, second] = [yield* openSlot(clinic, 8), yield* openSlot(clinic, 15)]
      const [booked = ""] = yield* meetingsOf(email)
      const { event: once } = yield* provider.reschedule(booked, "invitee", first)
      const { event: twice } = yield* provider.reschedule(idOf(once), "invitee", second, "Asia/Kolkata")
      const sendEvent = Effect.gen(function* () {
        const events = (yield* provider.pendingDeliveries).map(({ event }) => event)
        assert.isAtLeast(events.length, 5)
        assert.deepStrictEqual([...new Set(yield* provider.sendEvents(events))], [200])
      })
      if (arrival === "before") yield* sendEvent
      yield* Effect.flatMap(SuiteTime, ({ advance }) => advance("1 minute"))
      yield* runPendingJobs(clinic, "booking")
      if (arrival === "afterwards") yield* sendEvent
      const [event, ...others] = yield* appointmentsOf(clinic, email)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(event, { start: second, agentEventId: idOf(twice), status: "SCHEDULED" })
      assert.strictEqual(event.meetingDetails.timezone, "Asia/Kolkata")
      const [calendarEvent] = yield* calendarOf(clinic, caseId)
      assert.deepInclude(calendarEvent, { id: event.id, startDateTime: second, timezone: "Asia/Kolkata" })
      assert.strictEqual((yield* book(clinic, bookingBody(email, startTime), key)).status, 200)
      assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
      assert.strictEqual(yield* bookingRequestCount, 1)
      const reminders = yield* jobStatesOf(clinic, "appointment-reminder")
      assert.strictEqual(reminders.filter((state) => state === "pending").length, 1)
    })
  }

  it("is the answer to a repeated request if the response was lost and the patient has moved it", function* () {
    const { clinic, email, key, provider, startTime } = yield* lose
    const later = yield* openSlot(clinic, 8)
    const [booked = ""] = yield* meetingsOf(email)
    yield* provider.reschedule(booked, "invitee", later)
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime), key)).status, 200)
    assert.deepStrictEqual(
      (yield* appointmentsOf(clinic, email)).map(({ start }: { readonly start: string }) => start),
      [later]
    )
    assert.strictEqual(yield* bookingRequestCount, 1)
  })

  it("is not booked again if the response was lost and the patient has cancelled it", function* () {
    const { caseId, clinic, email, key, provider, startTime } = yield* lose
    const [booked = ""] = yield* meetingsOf(email)
    yield* provider.cancel(booked, "invitee", "I feel well")
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime), key)).status, 200)
    assert.strictEqual(yield* bookingRequestCount, 1)
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    yield* jobsDone("scheduling", "calendar-replication")
    const { json } = yield* admin("GET", `/cases/${caseId}/activity`)
    assert.deepStrictEqual(json.data.map(({ type }: { readonly type: string }) => type).slice(-2), [
      "CALENDAR_EVENT_CREATED",
      "CALENDAR_EVENT_CANCELLED"
    ])
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "appointment-reminder"), [])
  })

  it("is stored by the provider's event if it succeeded late", function* () {
    const { clinic, email, provider, startTime } = yield* ready
    const [key, body] = [randomUUID(), bookingBody(email, startTime)]
    yield* provider.addTrouble({ method: "POST", path: "/invitees", does: "hangUpBefore" })
    assert.strictEqual((yield* book(clinic, body, key)).status, 503)
    yield* Effect.flatMap(SuiteTime, ({ advance }) => advance("1 minute"))
    yield* runPendingJobs(clinic, "booking")
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    yield* provider.setDeliveryMode({})
    yield* provider.takeSlot(eventTypeId, startTime, email)
    yield* until(jobStatesOf(clinic, "booking"), (states) => states.length === 2)
    yield* runPendingJobs(clinic, "booking")
    assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
    assert.strictEqual((yield* book(clinic, body, key)).status, 200)
    assert.strictEqual(yield* bookingRequestCount, 1)
  })

  it("that failed is not confused with another appointment of the patient that was moved to its time", function* () {
    const { clinic, email, provider, startTime } = yield* ready
    const [key, later] = [randomUUID(), yield* openSlot(clinic, 8)]
    yield* provider.sendEvents((yield* provider.pendingDeliveries).map(({ event }) => event))
    assert.strictEqual((yield* book(clinic, bookingBody(email, later))).status, 200)
    const [other] = yield* appointmentsOf(clinic, email)
    yield* provider.addTrouble({ method: "POST", path: "/invitees", does: "hangUpBefore" })
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime), key)).status, 503)
    yield* provider.reschedule(other.agentEventId, "invitee", startTime)
    yield* expectAnswer(book(clinic, bookingBody(email, startTime), key), 400, {
      ...invalid,
      error: "The slot is already taken"
    })
    const waiting = (yield* provider.pendingDeliveries).map(({ event }) => event)
    assert.deepStrictEqual([...new Set(yield* provider.sendEvents(waiting))], [200])
    assert.deepStrictEqual(
      (yield* appointmentsOf(clinic, email)).map(({ id, start }: { id: string; start: string }) => [id, start]),
      [[other.id, startTime]]
    )
  })

  it("that failed is not confused with another appointment of the patient that was moved away from its time", function* () {
    const { clinic, email, provider, startTime } = yield* ready
    const [key, later] = [randomUUID(), yield* openSlot(clinic, 8)]
    yield* provider.addTrouble({ method: "POST", path: "/invitees", does: "hangUpBefore" })
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime), key)).status, 503)
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime))).status, 200)
    const [other] = yield* appointmentsOf(clinic, email)
    yield* provider.reschedule(other.agentEventId, "invitee", later)
    yield* Effect.flatMap(SuiteTime, ({ advance }) => advance("1 minute"))
    yield* runPendingJobs(clinic, "booking")
    const visibleAppointments = Effect.map(appointmentsOf(clinic, email), (all) =>
      all.map(({ id, start }: { readonly id: string; readonly start: string }) => [id, start])
    )
    assert.deepStrictEqual(yield* visibleAppointments, [[other.id, startTime]])
    const waiting = (yield* provider.pendingDeliveries).map(({ event }) => event)
    assert.deepStrictEqual([...new Set(yield* provider.sendEvents(waiting))], [200])
    assert.deepStrictEqual(yield* visibleAppointments, [[other.id, later]])
  })

  it("that failed leaves nothing, and may be requested again", function* () {
    const { clinic, email, provider, startTime } = yield* ready
    const [key, body] = [randomUUID(), bookingBody(email, startTime)]
    yield* provider.addTrouble({ method: "POST", path: "/invitees", does: "hangUpBefore" })
    assert.strictEqual((yield* book(clinic, body, key)).status, 503)
    yield* Effect.flatMap(SuiteTime, ({ advance }) => advance("1 minute"))
    yield* runPendingJobs(clinic, "booking")
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    assert.strictEqual((yield* book(clinic, body, key)).status, 200)
    assert.strictEqual((yield* appointmentsOf(clinic, email)).length, 1)
  })

  it("passes the provider's rate limit on, and leaves nothing", function* () {
    const { clinic, email, provider, startTime } = yield* ready
    yield* provider.addTrouble({ method: "POST", path: "/invitees", does: "rateLimit" })
    const answer = yield* book(clinic, bookingBody(email, startTime))
    assert.strictEqual(answer.status, 429)
    assert.deepInclude(answer.json, { status: 429, success: false, error: "Rate limit exceeded" })
    assert.isAtLeast(answer.json.retryAfter, 1)
    assert.strictEqual(answer.headers.get("retry-after"), String(answer.json.retryAfter))
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "booking"), ["cancelled"])
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime))).status, 200)
  })

  it("fails while the provider is down, and everything else works", function* () {
    const { caseId, clinic, email, provider, startTime } = yield* ready
    for (const path of ["/invitees", "/scheduled_events", "/event_type_available_times"]) {
      yield* provider.addTrouble({ path, does: "failBefore", times: 20 })
    }
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime))).status, 503)
    assert.strictEqual((yield* requestSlots(clinic, 1, 2)).status, 503)
    assert.deepStrictEqual(yield* appointmentsOf(clinic, email), [])
    assert.deepStrictEqual(yield* calendarOf(clinic, caseId), [])
    yield* provider.clearTroubles
    yield* Effect.flatMap(SuiteTime, ({ advance }) => advance("5 seconds"))
    assert.strictEqual((yield* requestSlots(clinic, 1, 2)).status, 200)
  })

  it("for a test case is only stored here, at an open slot of an event type", function* () {
    const { clinic, startTime } = yield* ready
    const body = caseBody(clinic, { isTest: true })
    yield* createCase(clinic, body)
    const { email } = body.user
    const later = new Date(Date.parse(startTime) + 7 * 60_000).toISOString()
    for (const start of [later, "9999-12-31T23:59:59.999Z"]) {
      const refused = yield* book(clinic, bookingBody(email, start))
      assert.deepStrictEqual(
        [refused.status, refused.json.error],
        [400, "The start time is not an open slot of the event type"]
      )
    }
    assert.strictEqual(
      (yield* book(clinic, bookingBody(email, startTime, { eventTypeId: "et_x" }))).json.error,
      "Unknown event type"
    )
    assert.strictEqual((yield* book(clinic, bookingBody(email, startTime))).status, 200)
    const [event] = yield* appointmentsOf(clinic, email)
    assert.deepInclude(event, { start: startTime, agentEventId: "", title: "30 Minute Consultation" })
    assert.strictEqual(yield* bookingRequestCount, 0)
    assert.deepStrictEqual(yield* jobStatesOf(clinic, "appointment-reminder"), [])
  })
})
