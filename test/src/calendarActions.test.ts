import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { actOnCalendar, calendarEvent, cancelEvent, createEvent, eventsOf } from "./harness/calendar.ts"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"
const noCase = "No Case found for provided details!"

const refused = (status: number, error: string) => ({ status, success: false, message: "Invalid request", error })
const invalid = (error: string) => ({ status: 400, success: false, message: "Invalid request parameters", error })
const created = {
  status: 200,
  success: true,
  message: "Case calendar event created successfully",
  data: { success: true }
}
const cancelled = {
  status: 200,
  success: true,
  message: "Calendar event cancelled successfully",
  data: { success: true }
}

testsOn(Suite.shared, "calendar actions", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic, { isTest: true })
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    return { clinic, caseId }
  })
  const withEvent = Effect.gen(function* () {
    const { caseId, clinic } = yield* clinicWithCase
    yield* createEvent(clinic, caseId)
    const [event] = yield* eventsOf(clinic, caseId)
    return { clinic, caseId, eventId: String(event.id) }
  })
  const activityOf = Effect.fnUntraced(function* (clinic: Clinic, caseId: string) {
    yield* jobsDone("scheduling", "calendar-replication", clinic)
    const { json } = yield* admin("GET", `/cases/${caseId}/activity`)
    return json.data.filter(({ type }: { readonly type: string }) => type.startsWith("CALENDAR"))
  })

  it("create 200: case detail shows the event with its patient and, a member of the organization, its organizer", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const email = `jane.${clinic.organizationId}@example.com`
    const member = { email, firstName: "Jane", lastName: "Rivera", role: "SUPPORT" }
    const { id } = (yield* admin("POST", `/organizations/${clinic.organizationId}/members`, member)).json
    const provider = { email: ` ${email.toUpperCase()}`, name: "Dr. Jane Rivera" }
    const times = { startTime: "2060-08-01T16:00+02:00", endTime: "2060-08-01T14:30" }
    yield* expectAnswer(createEvent(clinic, caseId, calendarEvent({ provider, ...times })), 200, created)
    const detail = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeCalendarEvents=true`, {
      key: clinic.key
    })
    const { calendarEvents, submitter } = detail.json.caseDetail
    const [event] = calendarEvents
    assert.lengthOf(calendarEvents, 1)
    assert.deepStrictEqual(event, {
      id: event.id,
      startDateTime: "2060-08-01T14:00:00.000Z",
      endDateTime: "2060-08-01T14:30:00.000Z",
      timezone: "America/New_York",
      meetingLink: "https://meet.example.com/1",
      cancelURL: "",
      rescheduleURL: "",
      meetingNotes: "",
      meetingProvider: "zoom_conference",
      organizer: event.organizer,
      participants: [submitter]
    })
    assert.deepInclude(event.organizer, { id, email })
    assert.match(event.id, /^[\da-f]{8}-[\da-f]{4}-4/)
  })

  it("create 200: the organizer need not be a member and is no patient; foreign agents and locations are accepted", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const [{ submitter }] = [(yield* admin("GET", `/cases/${caseId}`)).json]
    for (const changes of [
      { provider: { email: "stranger@example.com", name: "A stranger" } },
      { provider: { email: submitter.email, name: "The patient" } },
      { provider: null, description: null },
      { agentName: "outlook", location: "gotomeeting_conference" },
      ...["google_conference", "microsoft_teams_conference", "webex_conference"].map((location) => ({ location })),
      ...["UTC", "Asia/Kathmandu", "America/Argentina/Buenos_Aires", "Asia/Calcutta", "US/Pacific"].map((timeZone) => ({
        timeZone
      }))
    ]) {
      const answer = yield* createEvent(clinic, caseId, calendarEvent(changes))
      assert.deepStrictEqual(answer.json, created, JSON.stringify(changes))
    }
    const events = yield* eventsOf(clinic, caseId)
    assert.lengthOf(events, 12)
    assert.deepStrictEqual(new Set(events.map(({ organizer }: { organizer: unknown }) => organizer)), new Set([null]))
  })

  it("create 400: each missing or invalid field with its path and reason; nothing is stored", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    for (const field of ["title", "agentName", "startTime", "endTime", "timeZone", "meetingLink", "location"]) {
      yield* expectAnswer(
        createEvent(clinic, caseId, calendarEvent({ [field]: undefined })),
        400,
        invalid(`calendar.${field}, Required`)
      )
      const wrong = yield* createEvent(clinic, caseId, calendarEvent({ [field]: 7 }))
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.json.error, new RegExp(`^calendar\\.${field}, `))
    }
    for (const [changes, path] of [
      [{ title: " " }, "title"],
      [{ agentName: "" }, "agentName"],
      [{ description: 1 }, "description"],
      [{ startTime: "2060-02-30T10:00:00Z" }, "startTime"],
      [{ startTime: "2061-02-29T10:00:00Z" }, "startTime"],
      [{ endTime: "tomorrow" }, "endTime"],
      [{ timeZone: "+02:00" }, "timeZone"],
      [{ timeZone: "-05" }, "timeZone"],
      [{ timeZone: "Mars/Olympus" }, "timeZone"],
      [{ timeZone: "" }, "timeZone"],
      [{ meetingLink: "javascript:alert(1)" }, "meetingLink"],
      [{ meetingLink: "meet" }, "meetingLink"],
      [{ meetingLink: " https://meet.example.com/1" }, "meetingLink"],
      [{ location: "office" }, "location"],
      [{ provider: "Jane" }, "provider"],
      [{ provider: { name: "Jane" } }, "provider.email"],
      [{ provider: { email: "jane@example.com" } }, "provider.name"],
      [{ provider: { email: "jane", name: "Jane" } }, "provider.email"],
      ...["\n", "\r", "\u0085", "\u200b", "\u202e", "\u2028", "\u2029"].map(
        (unseen) =>
          [{ provider: { email: "jane@example.com", name: `Jane${unseen}www.evil.example` } }, "provider.name"] as const
      )
    ] as const) {
      const answer = yield* createEvent(clinic, caseId, calendarEvent(changes))
      assert.strictEqual(answer.status, 400, path)
      assert.strictEqual(answer.json.message, "Invalid request parameters")
      assert.match(answer.json.error, new RegExp(`^calendar\\.${path}, `))
    }
    for (const calendar of [undefined, null, "event", []]) {
      const answer = yield* createEvent(clinic, caseId, calendar === undefined ? undefined : calendar)
      if (calendar !== undefined) assert.match(answer.json.error, /^calendar(, |\.)/)
    }
    const without = yield* call("POST", `/api/v1/cases/${caseId}`, {
      key: clinic.key,
      body: { action: "CREATE_CALENDAR_EVENT" }
    })
    assert.deepStrictEqual(without.json, invalid("calendar, Required"))
    yield* expectAnswer(
      call("POST", `/api/v1/cases/${caseId}`, {
        key: clinic.key,
        body: { action: "MOVE_EVENT" }
      }),
      400,
      refused(400, "Invalid action")
    )
  })

  it("create 422: an event that ends when it begins, or before; a past event is accepted", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const startTime = "2060-08-01T14:00:00.000Z"
    for (const endTime of [startTime, "2060-08-01T13:59:59.999Z", "2060-08-01T15:30:00+02:00"]) {
      yield* expectAnswer(
        createEvent(clinic, caseId, calendarEvent({ startTime, endTime })),
        422,
        refused(422, "calendar.endTime, must be later than startTime")
      )
    }
    assert.deepStrictEqual(yield* eventsOf(clinic, caseId), [])
    const short = calendarEvent({ startTime: "2020-02-29T23:59:59.999Z", endTime: "2020-03-01T00:00:00.000Z" })
    assert.strictEqual((yield* createEvent(clinic, caseId, short)).status, 200)
  })

  it("create and cancel 404: an unknown case; nothing is stored about another organization's case", function* () {
    const { caseId, clinic, eventId } = yield* withEvent
    const other = yield* makeClinic
    const actions = [
      (by: { readonly key: string }, id: string) => createEvent(by, id),
      (by: { readonly key: string }, id: string) => cancelEvent(by, id, eventId)
    ]
    for (const act of actions) {
      for (const id of [unknownId, "not-an-id"]) {
        yield* expectAnswer(act(clinic, id), 404, refused(404, noCase))
      }
      assert.strictEqual((yield* act(other, caseId)).status, 401)
    }
    assert.lengthOf(yield* eventsOf(clinic, caseId), 1)
    // Nothing is stored about a case of another organization.
    const storedEvents = yield* inDatabase(
      "scheduling",
      (sql) => sql`SELECT organization_id FROM scheduling.case_snapshots WHERE case_id IN (${caseId}, ${unknownId})`
    )
    assert.deepStrictEqual(storedEvents, [{ organization_id: clinic.organizationId }])
  })

  it("cancel 200: the event disappears; 400: repeated, of another case, and with an invalid id", function* () {
    const { caseId, clinic, eventId } = yield* withEvent
    const otherCase: string = (yield* createCase(clinic, caseBody(clinic, { isTest: true }))).json.data.caseId
    for (const [name, id, error] of [
      [caseId, "not-an-id", "id must be a valid UUID"],
      [caseId, undefined, "id must be a valid UUID"],
      [caseId, 7, "id must be a valid UUID"],
      [caseId, null, "id must be a valid UUID"],
      [caseId, unknownId, "Calendar event not found"],
      [otherCase, eventId, "Calendar event not found"]
    ] as const) {
      yield* expectAnswer(cancelEvent(clinic, name, id), 400, refused(400, error))
    }
    const nothing = yield* actOnCalendar(clinic, caseId, "CANCEL_CALENDAR_EVENT", "x")
    assert.strictEqual(nothing.status, 400)
    assert.match(nothing.json.error, /^calendar, /)
    assert.lengthOf(yield* eventsOf(clinic, caseId), 1)

    const answer = yield* cancelEvent(clinic, caseId, eventId.toUpperCase())
    assert.deepStrictEqual([answer.status, answer.json], [200, cancelled])
    assert.deepStrictEqual(yield* eventsOf(clinic, caseId), [])
    yield* expectAnswer(
      cancelEvent(clinic, caseId, eventId),
      400,
      refused(400, "Calendar event has already been cancelled")
    )
  })

  it("cancel 400: an event that another agent keeps", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    yield* createEvent(clinic, caseId, calendarEvent({ agentName: "outlook" }))
    const [event] = yield* eventsOf(clinic, caseId)
    yield* expectAnswer(
      cancelEvent(clinic, caseId, event.id),
      400,
      refused(400, "Calendar event can only be cancelled when agentName is custom")
    )
    assert.lengthOf(yield* eventsOf(clinic, caseId), 1)
  })

  it("of 20 parallel cancellations one succeeds, and the others learn that it is cancelled", function* () {
    const { caseId, clinic, eventId } = yield* withEvent
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => cancelEvent(clinic, caseId, eventId)),
      { concurrency: "unbounded" }
    )
    const texts = answers.map(({ json }): string => json.error ?? json.message)
    const already = "Calendar event has already been cancelled"
    assert.sameMembers(texts, [cancelled.message, ...Array.from({ length: 19 }, () => already)])
  })

  it("an Idempotency-Key takes effect once, 20 times at once as well; 409 with another body", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const headers = { "idempotency-key": "create" }
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => createEvent(clinic, caseId, calendarEvent(), headers)),
      { concurrency: "unbounded" }
    )
    for (const { json } of answers) assert.deepStrictEqual(json, created)
    const [event, ...others] = yield* eventsOf(clinic, caseId)
    assert.deepStrictEqual(others, [])
    const conflict = yield* createEvent(clinic, caseId, calendarEvent({ title: "Another" }), headers)
    assert.strictEqual(conflict.status, 409)
    assert.deepInclude(conflict.json, { message: "Invalid request", code: "IDEMPOTENCY_ERROR" })
    for (const _ of [1, 2]) {
      const answer = yield* cancelEvent(clinic, caseId, event.id, { "idempotency-key": "cancel" })
      assert.deepStrictEqual(answer.json, cancelled)
    }
    assert.strictEqual((yield* cancelEvent(clinic, caseId, unknownId, { "idempotency-key": "cancel" })).status, 409)
  })

  it("each is in the activity of the case once, with ids only, also for a closed case", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const close = { action: "CHANGE_CASE_STATUS", status: "CLOSE" }
    yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: close })
    yield* createEvent(clinic, caseId)
    const [{ id }] = yield* eventsOf(clinic, caseId)
    const happened = (type: string) => ({
      type,
      details: { eventId: id },
      actor: { type: "SERVICE", id: "scheduling" }
    })
    const recordedTypes = Effect.map(activityOf(clinic, caseId), (all) =>
      all.map(({ actor, details, type }: Readonly<Record<string, unknown>>) => ({ type, details, actor }))
    )
    assert.deepStrictEqual(yield* recordedTypes, [happened("CALENDAR_EVENT_CREATED")])
    yield* cancelEvent(clinic, caseId, id)
    assert.deepStrictEqual(yield* recordedTypes, [
      happened("CALENDAR_EVENT_CREATED"),
      happened("CALENDAR_EVENT_CANCELLED")
    ])
  })
})
