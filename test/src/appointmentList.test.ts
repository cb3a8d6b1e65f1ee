import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { calendarEvent, cancelEvent, createEvent, eventsOf, listAppointments } from "./harness/calendar.ts"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { testsOn } from "./harness/testsOn.ts"

const refused = (error: string) => ({ status: 400, success: false, message: "Invalid request", error })
const day = (start_date: string, end_date = start_date) => ({ start_date, end_date })

testsOn(Suite.layer, "the list of appointments", (it) => {
  const addCase = Effect.fnUntraced(function* (clinic: Clinic) {
    const { user, ...body } = caseBody(clinic, { isTest: true })
    const caseId: string = (yield* createCase(clinic, { user, ...body })).json.data.caseId
    return { caseId, email: user.email }
  })
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    return { clinic, ...(yield* addCase(clinic)) }
  })
  const titles = Effect.fnUntraced(function* (clinic: Clinic, query: Readonly<Record<string, string>>) {
    const { json, status } = yield* listAppointments(clinic, query)
    assert.strictEqual(status, 200, JSON.stringify(json))
    return json.data.map(({ title }: { readonly title: string }) => title)
  })
  const change = (clinic: Clinic, caseId: string, status: string) =>
    call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: { action: "CHANGE_CASE_STATUS", status } })

  it("200: each appointment in its own shape, with its case and the patient as they are now", function* () {
    const { caseId, clinic, email } = yield* clinicWithCase
    const provider = { email: "jane@example.com", name: "Dr. Jane Rivera" }
    yield* createEvent(clinic, caseId, calendarEvent({ provider }))
    yield* call("POST", "/api/v1/users", {
      key: clinic.key,
      body: { action: "UPDATE_PROFILE", data: { email, firstName: "Mariana" } }
    })
    const { shortId, status, submitter, title } = (yield* admin("GET", `/cases/${caseId}`)).json
    const answer = yield* listAppointments(clinic, day("2060-08-01"))
    const [listed] = answer.json.data
    assert.deepStrictEqual(answer.json, {
      status: 200,
      success: true,
      message: "Appointments fetched successfully",
      data: [
        {
          id: listed.id,
          createdAt: listed.createdAt,
          updatedAt: listed.createdAt,
          title: "Follow-up visit",
          start: "2060-08-01T14:00:00.000Z",
          end: "2060-08-01T14:30:00.000Z",
          topic: "",
          description: "Bring the last results",
          color: "",
          isEditable: true,
          agentEventId: "",
          agentName: "custom",
          status: "SCHEDULED",
          isDeleted: false,
          meetingDetails: {
            timezone: "America/New_York",
            location: "zoom_conference",
            meetingLink: "https://meet.example.com/1",
            meetingProvider: "zoom_conference",
            meetingNotes: "",
            cancelURL: "",
            rescheduleURL: "",
            host: provider
          },
          case: { id: caseId, shortId, status, title },
          submitter: { id: submitter.id, firstName: "Mariana", lastName: "Lopez", email }
        }
      ]
    })
    assert.strictEqual((yield* eventsOf(clinic, caseId))[0].id, listed.id)
    const empty = yield* listAppointments(clinic, day("2060-08-02"))
    assert.deepStrictEqual([empty.status, empty.json.data], [200, []])
  })

  it("200: sorted by end; those that touch the days, from 00:00:00 to 23:59:59, are in, whatever their zone", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    // A leap day, and both clock changes in New York, where 02:30 is skipped or happens twice.
    for (const [title, startTime, endTime, timeZone] of [
      ["ends at midnight", "2060-02-28T23:00:00Z", "2060-02-29T00:00:00Z", "UTC"],
      ["ended before midnight", "2060-02-28T22:00:00Z", "2060-02-28T23:59:59.999Z", "UTC"],
      ["over the whole day", "2060-02-01T00:00:00Z", "2060-04-01T00:00:00Z", "Asia/Kathmandu"],
      ["in the day", "2060-02-29T12:00:00Z", "2060-02-29T12:30:00Z", "Pacific/Kiritimati"],
      ["begins at 23:59:59", "2060-02-29T23:59:59.999Z", "2060-03-01T00:30:00Z", "America/New_York"],
      ["begins at midnight", "2060-03-01T00:00:00Z", "2060-03-01T00:15:00Z", "UTC"],
      ["spring", "2060-03-14T01:30:00-05:00", "2060-03-14T03:30:00-04:00", "America/New_York"],
      ["autumn", "2060-11-07T01:30:00-04:00", "2060-11-07T01:30:00-05:00", "America/New_York"],
      ["autumn in a zone without", "2060-11-07T06:00:00Z", "2060-11-07T06:20:00Z", "America/Phoenix"]
    ]) {
      const event = calendarEvent({ title, startTime, endTime, timeZone })
      assert.strictEqual((yield* createEvent(clinic, caseId, event)).status, 200, title)
    }
    assert.deepStrictEqual(yield* titles(clinic, day("2060-02-29")), [
      "ends at midnight",
      "in the day",
      "begins at 23:59:59",
      "over the whole day"
    ])
    assert.deepStrictEqual(yield* titles(clinic, day("2060-03-14")), ["spring", "over the whole day"])
    assert.deepStrictEqual(yield* titles(clinic, day("2060-11-07")), ["autumn in a zone without", "autumn"])
    const spring = (yield* listAppointments(clinic, day("2060-03-14"))).json.data[0]
    assert.deepStrictEqual([spring.start, spring.end], ["2060-03-14T06:30:00.000Z", "2060-03-14T07:30:00.000Z"])
    const all = yield* listAppointments(clinic, day("2060-01-01", "2060-12-31"))
    const ends = all.json.data.map(({ end }: { readonly end: string }) => end)
    assert.lengthOf(ends, 9)
    assert.deepStrictEqual(ends, ends.toSorted())
  })

  it("200: by a user's email in any letter case, with days and without; other users' appointments are not listed", function* () {
    const { caseId, clinic, email } = yield* clinicWithCase
    const other = yield* addCase(clinic)
    yield* createEvent(clinic, caseId, calendarEvent({ title: "own" }))
    yield* createEvent(clinic, other.caseId, calendarEvent({ title: "another's" }))
    assert.deepStrictEqual((yield* titles(clinic, day("2060-08-01"))).toSorted(), ["another's", "own"])
    for (const query of [{}, day("2060-08-01"), day("2020-01-01", "2060-08-01")]) {
      const equivalent = { ...query, user_email: ` ${email.toUpperCase()} ` }
      assert.deepStrictEqual(yield* titles(clinic, equivalent), ["own"])
    }
    assert.deepStrictEqual(yield* titles(clinic, { ...day("2060-08-02"), user_email: email }), [])
    const member = {
      email: `s.${clinic.organizationId}@example.com`,
      firstName: "S",
      lastName: "S",
      role: "SUPPORT"
    }
    yield* admin("POST", `/organizations/${clinic.organizationId}/members`, member)
    assert.deepStrictEqual(yield* titles(clinic, { user_email: member.email }), [])
  })

  it("200: cancelled appointments and those that ended a second ago are left out; current ones are listed", function* () {
    const time = yield* SuiteTime
    const { caseId, clinic, email } = yield* clinicWithCase
    const from = (seconds: number) => new Date(time.clock.currentTimeMillisUnsafe() + seconds * 1000).toISOString()
    const add = (title: string, start: number, end: number) =>
      createEvent(clinic, caseId, calendarEvent({ title, startTime: from(start), endTime: from(end) }))
    yield* add("over", -60, -1)
    yield* add("under way", -1, 3600)
    yield* add("soon over", -60, 120)
    yield* add("cancelled", 60, 600)
    const listed = (yield* eventsOf(clinic, caseId)).find(
      ({ startDateTime }: { readonly startDateTime: string }) => startDateTime > from(30)
    )
    assert.deepStrictEqual(yield* titles(clinic, { user_email: email }), ["soon over", "cancelled", "under way"])
    yield* cancelEvent(clinic, caseId, listed.id)
    assert.deepStrictEqual(yield* titles(clinic, { user_email: email }), ["soon over", "under way"])
    const today = day(from(-86_400).slice(0, 10), from(86_400).slice(0, 10))
    assert.deepStrictEqual(yield* titles(clinic, today), ["soon over", "under way"])
    yield* time.advance("121 seconds")
    assert.deepStrictEqual(yield* titles(clinic, { user_email: email }), ["under way"])
  })

  it("200: appointments of a closed case disappear from the next list, and come back when it is reopened", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    yield* createEvent(clinic, caseId)
    const visibleTitles = titles(clinic, day("2060-08-01"))
    for (const _ of [1, 2]) {
      assert.lengthOf(yield* visibleTitles, 1)
      assert.strictEqual((yield* change(clinic, caseId, "CLOSE")).status, 200)
      assert.deepStrictEqual(yield* visibleTitles, [])
      // An event that is added while the case is closed is not listed either.
      yield* createEvent(clinic, caseId, calendarEvent({ endTime: "2060-08-01T15:00:00Z" }))
      assert.deepStrictEqual(yield* visibleTitles, [])
      assert.strictEqual((yield* change(clinic, caseId, "REOPEN")).status, 200)
      assert.lengthOf(yield* visibleTitles, 2)
      const { data } = (yield* listAppointments(clinic, day("2060-08-01"))).json
      yield* cancelEvent(clinic, caseId, data[1].id)
    }
  })

  it("200: deleted snapshots of cases are fetched again", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    yield* createEvent(clinic, caseId)
    yield* inDatabase(
      "scheduling",
      (sql) => sql`DELETE FROM scheduling.case_snapshots WHERE organization_id = ${clinic.organizationId}`
    )
    const list = listAppointments(clinic, day("2060-08-01"))
    assert.strictEqual((yield* list).json.data[0].case.id, caseId)
    yield* change(clinic, caseId, "CLOSE")
    assert.deepStrictEqual((yield* list).json.data, [])
  })

  it("400: missing, incomplete, reversed or invalid days, and a user whom the organization does not have", function* () {
    const { clinic, email } = yield* clinicWithCase
    const stranger = yield* clinicWithCase
    const form = "must be a date in the form YYYY-MM-DD"
    const incomplete = "start_date and end_date must be given together"
    for (const [query, error] of [
      [{}, "start_date and end_date are required without user_email"],
      [{ user_email: "" }, "start_date and end_date are required without user_email"],
      [{ start_date: "2060-08-01" }, incomplete],
      [{ end_date: "2060-08-01" }, incomplete],
      [{ start_date: "2060-08-01", user_email: email }, incomplete],
      [day("2060-08-02", "2060-08-01"), "start_date must be on or before end_date"],
      [{ ...day("2060-08-02", "2060-08-01"), user_email: email }, "start_date must be on or before end_date"],
      [day("2061-02-29", "2061-03-01"), `start_date, ${form}`],
      [day("2060-08-01", "08/02/2060"), `end_date, ${form}`],
      [day("2060-08-01", "2060-08-01T00:00:00Z"), `end_date, ${form}`],
      [day("", ""), `start_date, ${form}; end_date, ${form}`],
      [{ user_email: stranger.email }, "No user found with this email"],
      [{ ...day("2060-08-01"), user_email: "nobody@example.com" }, "No user found with this email"],
      [{ user_email: "nobody" }, "user_email, must be a valid email"]
    ] as const) {
      yield* expectAnswer(listAppointments(clinic, query), 400, refused(error), JSON.stringify(query))
    }
  })

  it("429: more than 500 requests of an organization within a minute; other organizations are not affected", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const list = listAppointments(clinic, day("2060-08-01"))
    // The minute of the limit may end in between. Then one of the two attempts exceeds it.
    const answers = yield* Effect.replicateEffect(list, 1001, { concurrency: 20 })
    const tooMany = answers.find(({ status }) => status === 429) ?? assert.fail()
    assert.deepStrictEqual(tooMany.json, {
      status: 429,
      success: false,
      error: "Rate limit exceeded",
      message: "At most 500 requests per 60 seconds are allowed. Try again later.",
      retryAfter: 60
    })
    assert.isAtLeast(answers.filter(({ status }) => status === 200).length, 500)
    assert.strictEqual((yield* listAppointments(other, day("2060-08-01"))).status, 200)
  })
})
