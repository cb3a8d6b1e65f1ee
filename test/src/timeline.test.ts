import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { cancelEvent, createEvent, eventsOf } from "./harness/calendar.ts"
import { type Answer, admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, decisionBody, makeClinic } from "./harness/fixtures.ts"
import { placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { saveMethod } from "./harness/saveMethod.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

testsOn(Suite.shared, "the timeline of a case", (it) => {
  const timelineOf = (caseId: string, query = "") => admin("GET", `/cases/${caseId}/timeline${query}`)
  const typesOf = ({ json }: Answer): ReadonlyArray<string> =>
    json.data.map(({ type }: { readonly type: string }) => type)
  const newCase = (clinic: Clinic, changes: Readonly<Record<string, unknown>> = { isTest: true }) =>
    Effect.map(createCase(clinic, caseBody(clinic, changes)), ({ json }): string => json.data.caseId)

  /** Makes a case with one of everything. */
  const eventfulCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const provider = yield* addStaff(clinic)
    const caseId = yield* newCase(clinic)
    yield* saveMethod(clinic, caseId, "pm_card_visa")
    const payment = { amount: 49.5, description: "Visit", preauthorize: true }
    yield* call("POST", `/api/v1/cases/${caseId}/payments`, { key: clinic.key, body: payment })
    yield* until(timelineOf(caseId), (timeline) => typesOf(timeline).includes("PAYMENT_CHANGED"))
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })
    const say = (text: string, isRestricted: boolean) =>
      admin("POST", `/cases/${caseId}/comments`, { authorUserId: provider, text, isRestricted })
    const comment = (yield* say("How are you?", false)).json
    const note = (yield* say("Check her history", true)).json
    const act = (action: string, body: object) =>
      call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: { action, ...body } })
    const [escalation] = (yield* act("ADD_ESCALATION", {
      escalations: [{ type: "support", title: "Cancellation", note: "Wants to cancel" }]
    })).json.data.escalations
    yield* placeOrder(clinic, caseId)
    yield* createEvent(clinic, caseId)
    yield* until(timelineOf(caseId), (timeline) =>
      ["CALENDAR_EVENT_CREATED", "ORDER_CHANGED"].every((type) => typesOf(timeline).includes(type))
    )
    const decision = (yield* admin("POST", `/cases/${caseId}/decisions`, decisionBody(provider))).json
    yield* admin("POST", `/escalations/${escalation.id}/complete`)
    return { clinic, caseId, provider, comment, note, escalation, decision }
  })

  it("200: every change, newest first, with what it is about as that is now", function* () {
    const { caseId, comment, decision, escalation, note, provider } = yield* eventfulCase
    const timeline = yield* timelineOf(caseId, "?limit=100")
    const { data, nextCursor } = timeline.json
    const activity = (yield* admin("GET", `/cases/${caseId}/activity?limit=100`)).json.data
    const things = ["kind", "comment", "decision", "order", "escalation", "payment", "calendarEvent"]
    const withoutThings = data.map((entry: object) =>
      Object.fromEntries(Object.entries(entry).filter(([name]) => !things.includes(name)))
    )
    assert.deepStrictEqual([timeline.status, withoutThings, nextCursor], [200, activity.toReversed(), null])
    const entry = (type: string) =>
      data.find((each: { readonly type: string }) => each.type === type) ?? assert.fail(`no ${type}`)
    assert.deepStrictEqual(entry("COMMENT_ADDED").comment, comment)
    assert.deepStrictEqual(entry("NOTE_ADDED").comment, note)
    assert.deepStrictEqual(entry("DECISION_ADDED").decision, decision)
    const list = (path: string) => Effect.map(admin("GET", `/cases/${caseId}/${path}`), ({ json }) => json.data)
    assert.deepStrictEqual(entry("ORDER_PLACED").order, (yield* list("orders"))[0])
    const completed = { ...escalation, isCompleted: true }
    for (const type of ["ESCALATION_ADDED", "ESCALATION_COMPLETED"]) {
      assert.deepInclude(entry(type).escalation, { id: escalation.id, isCompleted: true, note: completed.note })
    }
    assert.deepStrictEqual(entry("CALENDAR_EVENT_CREATED").calendarEvent, (yield* list("calendar-events"))[0])
    const [payment] = (yield* admin("GET", `/payments?caseId=${caseId}`)).json.data
    assert.deepStrictEqual(entry("PAYMENT_CHANGED").payment, payment)
    assert.deepInclude(entry("CASE_ASSIGNED"), { kind: "CASE" })
    assert.strictEqual(entry("CASE_ASSIGNED").details.providerId, provider)
    for (const each of data) {
      const named = things.filter((name) => name !== "kind" && each[name] !== null)
      assert.lengthOf(named, ["CASE", "PRODUCT", "FORM", "FILE"].includes(each.kind) ? 0 : 1, each.type)
    }
  })

  it("pages follow each other without a gap, and a kind selects its entries", function* () {
    const { caseId } = yield* eventfulCase
    const all = typesOf(yield* timelineOf(caseId, "?limit=100"))
    const walk = Effect.fnUntraced(function* (query: string) {
      const walked: Array<string> = []
      let cursor = ""
      do {
        const page: Answer = yield* timelineOf(caseId, `?limit=2${query}${cursor}`)
        walked.push(...typesOf(page))
        cursor = page.json.nextCursor === null ? "" : `&cursor=${page.json.nextCursor}`
      } while (cursor !== "")
      return walked
    })
    assert.deepStrictEqual(yield* walk(""), all)
    for (const [kind, types] of [
      ["comment", ["NOTE_ADDED", "COMMENT_ADDED"]],
      ["ESCALATION", ["ESCALATION_COMPLETED", "ESCALATION_ADDED"]],
      ["DECISION", ["DECISION_ADDED"]],
      ["PAYMENT", ["PAYMENT_CHANGED"]],
      ["CALENDAR_EVENT", ["CALENDAR_EVENT_CREATED"]],
      ["FILE", []]
    ] as const) {
      assert.deepStrictEqual(yield* walk(`&kind=${kind}`), [...types], kind)
    }
  })

  it("a cancelled event is still shown, and a read records the kinds of data that it showed", function* () {
    const { caseId, clinic } = yield* eventfulCase
    const [{ id }] = yield* eventsOf(clinic, caseId)
    assert.strictEqual((yield* cancelEvent(clinic, caseId, id)).status, 200)
    yield* until(timelineOf(caseId), (timeline) => typesOf(timeline)[0] === "CALENDAR_EVENT_CANCELLED")
    const read = yield* timelineOf(caseId, "?kind=CALENDAR_EVENT")
    for (const entry of read.json.data) assert.strictEqual(entry.calendarEvent.id, entry.details.eventId)
    const requestId = read.headers.get("x-request-id")
    const record = yield* until(
      Effect.map(admin("GET", `/audit?caseId=${caseId}&action=CASE_READ`), ({ json }) =>
        json.data.find((each: { readonly requestId: string }) => each.requestId === requestId)
      ),
      (found) => found !== undefined
    )
    assert.deepStrictEqual(record.kinds, ["ACTIVITY", "APPOINTMENTS"])
  })

  it("400 for what is malformed, 404 for an unknown case", function* () {
    const caseId = yield* newCase(yield* makeClinic)
    for (const query of ["?kind=GOSSIP", "?cursor=x", "?limit=0"]) {
      assert.strictEqual((yield* timelineOf(caseId, query)).status, 400, query)
    }
    const unknown = yield* timelineOf(unknownId)
    assert.deepStrictEqual([unknown.status, unknown.json.detail], [404, "No case has this id."])
  })

  it("a page of a kind that few of many entries have ends where the examination ended, and the next one goes on", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic)
    const provider = yield* addStaff(clinic)
    yield* admin("POST", `/cases/${caseId}/comments`, { authorUserId: provider, text: "First", isRestricted: false })
    yield* inDatabase(
      "cases",
      (sql) => sql`
        INSERT INTO cases.case_activity (organization_id, case_id, sequence, id, type, actor_type, at, details)
        SELECT ${clinic.organizationId}, ${caseId}, n, gen_random_uuid(), 'PRODUCT_DUE_DATE_CHANGED', 'JOB', now(),
               jsonb_build_object('productId', ${clinic.productId}::text, 'dueDate', '2060-01-01')
        FROM generate_series(3, 1500) AS n
      `
    )
    const first = yield* timelineOf(caseId, "?kind=COMMENT")
    assert.deepStrictEqual(typesOf(first), [])
    const second = yield* timelineOf(caseId, `?kind=COMMENT&cursor=${first.json.nextCursor}`)
    assert.deepStrictEqual([typesOf(second), second.json.nextCursor], [["COMMENT_ADDED"], null])
  })
})
