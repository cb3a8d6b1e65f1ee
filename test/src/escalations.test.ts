import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin, call, expectAnswer } from "./harness/call.ts"
import { callAs, signedIn } from "./harness/callAs.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

testsOn(Suite.shared, "escalations", (it) => {
  const newCase = (clinic: Clinic, changes: Readonly<Record<string, unknown>> = { isTest: true }) =>
    Effect.map(createCase(clinic, caseBody(clinic, changes)), ({ json }): string => json.data.caseId)
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    return { clinic, caseId: yield* newCase(clinic) }
  })
  const act = (clinic: Clinic, caseId: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body, headers })
  const add = (clinic: Clinic, caseId: string, escalations: unknown, headers: Readonly<Record<string, string>> = {}) =>
    act(clinic, caseId, { action: "ADD_ESCALATION", escalations }, headers)
  const complete = (id: string) => admin("POST", `/escalations/${id}/complete`)
  const listed = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}/escalations`), ({ json }) => json.data)
  const activityOf = (caseId: string) =>
    Effect.map(
      admin("GET", `/cases/${caseId}/activity`),
      ({ json }): ReadonlyArray<Readonly<Record<string, unknown>>> =>
        json.data.filter(({ type }: Readonly<Record<string, unknown>>) => String(type).startsWith("ESCALATION"))
    )

  let members = 0
  const addMember = Effect.fnUntraced(function* ({ organizationId }: Clinic, role = "THIRD_PARTY_ADMIN") {
    members += 1
    const email = `admin.${members}.${organizationId}@example.com`
    const body = { email, firstName: "Sam", lastName: "Rivera", role }
    const member = yield* admin("POST", `/organizations/${organizationId}/members`, body)
    return { email, id: String(member.json.id) }
  })

  const cancellation = { type: "support", title: "Cancellation" }
  const review = { type: "clinical", title: "Lab Review" }

  const refused = (status: number, error: string) => ({ status, success: false, message: "Invalid request", error })
  const invalid = (error: string) => ({ status: 400, success: false, error, code: "VALIDATION_ERROR" })

  it("200: all that are active, oldest first and in the order of the request, each with what was given", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const assignee = yield* addMember(clinic)
    const full = {
      ...cancellation,
      note: "Wants to cancel",
      followUpDueAt: "2020-08-01T12:00:00+02:00",
      assignedToEmail: assignee.email.toUpperCase()
    }
    const answer = yield* add(clinic, caseId, [full, review])
    const [first, second] = answer.json.data.escalations
    assert.deepStrictEqual(
      [answer.status, answer.json],
      [
        200,
        {
          status: 200,
          success: true,
          message: "Escalation(s) added successfully",
          data: {
            escalations: [
              {
                id: first.id,
                ...cancellation,
                note: "Wants to cancel",
                followUpDueAt: "2020-08-01T10:00:00.000Z",
                assignedToUserId: assignee.id,
                isCompleted: false,
                createdAt: first.createdAt,
                updatedAt: first.createdAt
              },
              {
                id: second.id,
                ...review,
                isCompleted: false,
                createdAt: first.createdAt,
                updatedAt: first.createdAt
              }
            ]
          }
        }
      ]
    )
    assert.match(first.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.match(first.id, /^[\da-f]{8}-[\da-f]{4}-4/)

    const others = [
      { type: "external", title: "Lab Request" },
      { type: "support", title: "Lab request" },
      { type: "external", title: "Payment Received" },
      { type: "support", title: "Payment Received" }
    ]
    const repeated = yield* add(clinic, caseId, others)
    assert.deepStrictEqual(repeated.json.data.escalations.slice(0, 2), [first, second])
    assert.deepStrictEqual(
      repeated.json.data.escalations.slice(2).map(({ title, type }: typeof cancellation) => ({ type, title })),
      others
    )
    assert.deepStrictEqual(yield* listed(caseId), repeated.json.data.escalations.toReversed())
    const detail = yield* admin("GET", `/cases/${caseId}`)
    assert.deepStrictEqual(detail.json.escalations, repeated.json.data.escalations)
  })

  it("a note is sealed where it is stored", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const answer = yield* add(clinic, caseId, [{ ...review, note: "Bleeding" }])
    assert.strictEqual(answer.json.data.escalations[0].note, "Bleeding")
    const stored = yield* inDatabase(
      "cases",
      (sql) => sql<{ note: string }>`SELECT note FROM cases.escalations WHERE case_id = ${caseId}`
    )
    assert.lengthOf(stored, 1)
    assert.match(stored[0]?.note ?? "", /^[\w-]{22}:[A-Za-z0-9+/=]+$/)
  })

  it("a deprecated title is its replacement: in the answer, in the request and on the case", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const answer = yield* add(clinic, caseId, [{ type: "clinical", title: "Refill Ready for Review" }])
    assert.strictEqual(answer.json.data.escalations[0].title, "Ready for Review - Renewal")
    for (const title of ["Refill pending for review", "Ready for Review - Renewal"]) {
      const active = yield* add(clinic, caseId, [{ type: "clinical", title }])
      assert.deepStrictEqual(
        active.json,
        refused(400, "Escalation already active on this case: clinical / Ready for Review - Renewal")
      )
    }
    const twice = yield* add(clinic, caseId, [
      { type: "support", title: "Order delays" },
      { type: "support", title: "Misdelivery" }
    ])
    assert.deepStrictEqual(
      twice.json,
      refused(400, "Duplicate escalation in request: support / Delivery/Fulfillment Issue")
    )
  })

  it("400: an escalation twice in the request, or already active: nothing is added or recorded", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    yield* expectAnswer(
      add(clinic, caseId, [review, cancellation, review]),
      400,
      refused(400, "Duplicate escalation in request: clinical / Lab Review")
    )
    assert.deepStrictEqual(yield* listed(caseId), [])
    assert.strictEqual((yield* add(clinic, caseId, [cancellation])).status, 200)
    yield* expectAnswer(
      add(clinic, caseId, [review, cancellation, { type: "external", title: "Miscellaneous" }]),
      400,
      refused(400, "Escalation already active on this case: support / Cancellation")
    )
    assert.lengthOf(yield* listed(caseId), 1)
    assert.lengthOf(yield* activityOf(caseId), 1)
  })

  it("400: malformed requests, in the coded form, before any other check", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const required = "escalations, At least one escalation is required"
    for (const [escalations, error] of [
      [[], required],
      [undefined, "escalations, Required"],
      [null, "escalations, must be an array"],
      [{}, "escalations, must be an array"],
      [[null], "escalations.0, must be an object"],
      [
        [{ ...cancellation, type: "sales" }],
        "escalations.0.type, Invalid type. Must be one of: support, clinical, external"
      ],
      [[{ ...cancellation, status: "open" }], "escalations.0, Unrecognized key(s) in object: status"],
      [[{ type: "support" }], "escalations.0.title, Required"],
      [[{ title: "Cancellation" }], "escalations.0.type, Required"],
      [[{ ...cancellation, title: 7 }], "escalations.0.title, must be a text"],
      [[{ ...cancellation, assignedToEmail: "sam" }], "escalations.0.assignedToEmail, must be a valid email"]
    ] as const) {
      for (const id of [caseId, unknownId]) {
        yield* expectAnswer(add(clinic, id, escalations), 400, invalid(error))
      }
    }
    for (const title of ["Lab Review", "constructor", "cancellation"]) {
      const answer = yield* add(clinic, caseId, [{ type: "support", title }])
      assert.deepInclude(answer.json, { status: 400, success: false, code: "VALIDATION_ERROR" })
      for (const named of [`"${title}"`, "support", "Cancellation", "AGENT - Product Add-on"]) {
        assert.include(answer.json.error, named)
      }
    }
    assert.deepStrictEqual(yield* listed(caseId), [])
  })

  it("400: an assignee who is not an active third-party administrator of the organization", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const other = yield* makeClinic
    const deleted = yield* addMember(clinic)
    yield* admin("DELETE", `/users/${deleted.id}`)
    const emails = [
      "nobody@example.com",
      (yield* addMember(clinic, "SUPPORT")).email,
      (yield* addMember(clinic, "PROVIDER")).email,
      (yield* addMember(other)).email,
      deleted.email
    ]
    for (const email of emails) {
      const answer = yield* add(clinic, caseId, [cancellation, { ...review, assignedToEmail: email }])
      const error = `No assignable user found with email ${email} for this organization`
      assert.deepStrictEqual([answer.status, answer.json], [400, refused(400, error)])
    }
    assert.deepStrictEqual(yield* listed(caseId), [])
  })

  it("an assignee of whom cases has no copy is fetched once", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const { email, id } = yield* addMember(clinic)
    const stored = inDatabase(
      "cases",
      (sql) => sql`SELECT id FROM cases.people WHERE organization_id = ${clinic.organizationId} AND id = ${id}`
    )
    yield* inDatabase("cases", (sql) => sql`DELETE FROM cases.people WHERE organization_id = ${clinic.organizationId}`)
    assert.lengthOf(yield* stored, 0)
    const requested = [cancellation, review].map((escalation) => ({ ...escalation, assignedToEmail: email }))
    const answer = yield* add(clinic, caseId, requested)
    assert.deepStrictEqual(
      answer.json.data.escalations.map(({ assignedToUserId }: { assignedToUserId: string }) => assignedToUserId),
      [id, id]
    )
    assert.lengthOf(yield* stored, 1)
  })

  it("400 for an unknown case and for an invalid id", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    for (const id of [unknownId, "1", "not-a-uuid", "%00", `${caseId}0`, "x".repeat(150)]) {
      yield* expectAnswer(add(clinic, id, [cancellation]), 400, refused(400, "Case not found!"), id)
    }
    assert.deepStrictEqual(yield* listed(caseId), [])
    assert.strictEqual((yield* add(clinic, caseId.toUpperCase(), [cancellation])).status, 200)
  })

  it("400: an action of another type is no action", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    for (const action of [undefined, null, 1, true, ["ADD_ESCALATION"], { ADD_ESCALATION: true }, "add_escalation"]) {
      yield* expectAnswer(
        act(clinic, caseId, { action, escalations: [cancellation] }),
        400,
        refused(400, "Invalid action")
      )
    }
    assert.deepStrictEqual(yield* listed(caseId), [])
  })

  it("an archived case takes escalations, too", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    yield* inDatabase("cases", (sql) => sql`UPDATE cases.cases SET is_archived = true WHERE id = ${caseId}`)
    assert.strictEqual((yield* add(clinic, caseId, [cancellation])).status, 200)
    assert.lengthOf(yield* listed(caseId), 1)
  })

  it("of 20 equal requests at once exactly one succeeds, with keys of their own and without", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const requests = Array.from({ length: 20 }, (_, index) =>
      add(
        clinic,
        caseId,
        index % 2 === 0 ? [cancellation, review] : [review, cancellation],
        index % 4 < 2 ? { "idempotency-key": `parallel-${index}` } : {}
      )
    )
    const answers = yield* Effect.all(requests, { concurrency: "unbounded" })
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      1
    )
    for (const { json, status } of answers) {
      if (status !== 200) assert.match(json.error, /^Escalation already active on this case: /)
    }
    assert.lengthOf(yield* listed(caseId), 2)
    assert.lengthOf(yield* activityOf(caseId), 2)
  })

  it("of two parallel requests with one escalation in common the loser adds nothing", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const external = { type: "external", title: "Miscellaneous" }
    const answers = yield* Effect.all(
      [add(clinic, caseId, [cancellation, external]), add(clinic, caseId, [external, review])],
      { concurrency: "unbounded" }
    )
    assert.sameMembers(
      answers.map(({ status }) => status),
      [200, 400]
    )
    assert.lengthOf(yield* listed(caseId), 2)
  })

  it("20 requests with one idempotency key take effect once and get the same answer, also with the replacement title", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const headers = { "idempotency-key": "one" }
    const requested = { type: "support", title: "Price question" }
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => add(clinic, caseId, [requested], headers)),
      { concurrency: "unbounded" }
    )
    const [first] = answers
    for (const { json, status } of answers) assert.deepStrictEqual([status, json], [200, first?.json])
    yield* complete(first?.json.data.escalations[0].id)
    yield* expectAnswer(add(clinic, caseId, [{ ...requested, title: "Billing Question" }], headers), 200, first?.json)
    const other = yield* add(clinic, caseId, [cancellation], headers)
    assert.deepStrictEqual([other.status, other.json.code], [409, "IDEMPOTENCY_ERROR"])
    assert.lengthOf(yield* listed(caseId), 1)
  })

  it("each added or completed escalation is in the activity, with ids and types only", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const note = "kanarienvogel"
    const requested = [
      { ...cancellation, note },
      { ...review, note }
    ]
    const [first, second] = (yield* add(clinic, caseId, requested)).json.data.escalations
    assert.strictEqual(first.note, note)
    const completed = yield* complete(first.id)
    const activity = yield* activityOf(caseId)
    const key = { type: "API_KEY", id: clinic.keyId }
    assert.deepStrictEqual(
      activity.map(({ actor, details, type }) => [type, actor, details]),
      [
        ["ESCALATION_ADDED", key, { escalationId: first.id, type: "support" }],
        ["ESCALATION_ADDED", key, { escalationId: second.id, type: "clinical" }],
        ["ESCALATION_COMPLETED", { type: "OPERATOR", id: null }, { escalationId: first.id }]
      ]
    )
    const detail = yield* admin("GET", `/cases/${caseId}`)
    assert.strictEqual(detail.json.updatedAt, activity[2]?.["at"])
    assert.strictEqual(completed.json.updatedAt, detail.json.escalations[0].updatedAt)
  })

  it("an escalation is completed once, also by parallel requests; then the same title may be added again", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const assignee = yield* addMember(clinic)
    const requested = { ...cancellation, note: "Wants to cancel", assignedToEmail: assignee.email }
    const [added] = (yield* add(clinic, caseId, [requested])).json.data.escalations
    const answers = yield* Effect.all(
      Array.from({ length: 10 }, () => complete(added.id)),
      { concurrency: "unbounded" }
    )
    const later = yield* complete(added.id.toUpperCase())
    assert.isAtLeast(Date.parse(later.json.updatedAt), Date.parse(added.createdAt))
    const expected = { ...added, isCompleted: true, updatedAt: later.json.updatedAt }
    for (const { json, status } of [...answers, later]) assert.deepStrictEqual([status, json], [200, expected])
    assert.deepStrictEqual(
      (yield* activityOf(caseId)).map(({ type }) => type),
      ["ESCALATION_ADDED", "ESCALATION_COMPLETED"]
    )

    const repeated = yield* add(clinic, caseId, [cancellation])
    assert.strictEqual(repeated.status, 200)
    assert.lengthOf(repeated.json.data.escalations, 1)
    const [anew] = repeated.json.data.escalations
    assert.notStrictEqual(anew.id, added.id)
    assert.deepStrictEqual(yield* listed(caseId), [anew, expected])
  })

  it("completing and adding the same title in parallel: each has a definite result, without a deadlock", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    for (let round = 0; round < 5; round += 1) {
      yield* add(clinic, caseId, [cancellation])
      const active = (yield* listed(caseId)).filter(({ isCompleted }: { isCompleted: boolean }) => !isCompleted)
      const answers = yield* Effect.all(
        [complete(active[0].id), add(clinic, caseId, [cancellation]), complete(active[0].id)],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([answers[0].status, answers[2].status], [200, 200])
      assert.include([200, 400], answers[1].status)
    }
  })

  it("404 for an unknown escalation, 400 for an invalid id", function* () {
    const unknown = yield* complete(unknownId)
    assert.deepStrictEqual([unknown.status, unknown.json.detail], [404, "No escalation has this id."])
    assert.strictEqual((yield* complete("x")).status, 400)
    assert.strictEqual((yield* admin("GET", `/cases/${unknownId}/escalations`)).status, 404)
  })

  const ofOrganization = ({ organizationId }: Clinic, query = "") =>
    admin("GET", `/escalations?organizationId=${organizationId}${query}`)
  const idsOf = ({ json }: Answer): ReadonlyArray<string> => json.data.map(({ id }: { readonly id: string }) => id)

  it("list 200: the open ones of an organization, oldest first, or the completed ones, newest first, by assignee", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const stranger = yield* clinicWithCase
    yield* add(stranger.clinic, stranger.caseId, [cancellation])
    const second = yield* newCase(clinic)
    const assignee = yield* addMember(clinic)
    const assigned = { ...review, note: "Call her", assignedToEmail: assignee.email }
    const [first, other] = [
      (yield* add(clinic, caseId, [cancellation, assigned])).json.data.escalations,
      (yield* add(clinic, second, [assigned])).json.data.escalations
    ]
    const all = [...first, ...other].map(({ id }: { readonly id: string }) => id)
    const [own = "", assignedFirst = "", assignedLast = ""] = all
    const { shortId, submitter } = (yield* admin("GET", `/cases/${caseId}`)).json
    const open = yield* ofOrganization(clinic)
    assert.deepStrictEqual([open.status, idsOf(open), open.json.nextCursor], [200, all, null])
    const ofCase = { organizationId: clinic.organizationId, caseId, shortId, submitter }
    assert.deepStrictEqual(open.json.data[0], { ...first[0], ...ofCase, assignedTo: null })
    const { assignedTo } = open.json.data[1]
    assert.deepStrictEqual(open.json.data[1], { ...first[1], ...ofCase, assignedTo })
    assert.deepInclude(assignedTo, { id: assignee.id, firstName: "Sam", lastName: "Rivera" })
    assert.deepStrictEqual(idsOf(yield* ofOrganization(clinic, "&isUnassigned=true")), [own])
    assert.strictEqual(open.json.data[1].note, "Call her")
    assert.deepStrictEqual(idsOf(yield* ofOrganization(clinic, `&assignedTo=${assignee.id}`)), [
      assignedFirst,
      assignedLast
    ])
    const page = yield* ofOrganization(clinic, "&limit=2")
    assert.deepStrictEqual(idsOf(page), all.slice(0, 2))
    assert.deepStrictEqual(
      idsOf(yield* ofOrganization(clinic, `&limit=2&cursor=${page.json.nextCursor}`)),
      all.slice(2)
    )
    for (const id of [own, assignedLast]) yield* complete(id)
    assert.deepStrictEqual(idsOf(yield* ofOrganization(clinic, "&state=OPEN")), [assignedFirst])
    const completed = yield* ofOrganization(clinic, "&state=completed")
    assert.deepStrictEqual(idsOf(completed), [assignedLast, own])
    const ofAssignee = yield* ofOrganization(clinic, `&state=COMPLETED&assignedTo=${assignee.id}`)
    assert.deepStrictEqual(idsOf(ofAssignee), [assignedLast])
    const last = yield* ofOrganization(clinic, "&state=COMPLETED&limit=1")
    const rest = yield* ofOrganization(clinic, `&state=COMPLETED&limit=1&cursor=${last.json.nextCursor}`)
    assert.deepStrictEqual([idsOf(rest), rest.json.nextCursor], [[own], null])
  })

  it("list 200: a provider gets those of cases that are theirs or wait for them, which they may complete, and no others", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const [ada, bob] = [yield* addStaff(clinic), yield* addStaff(clinic, { licensedStates: ["TX"] })]
    const escalated = Effect.fnUntraced(function* (holder?: string) {
      const caseId = yield* newCase(clinic)
      if (holder !== undefined) yield* admin("POST", `/cases/${caseId}/assign`, { providerId: holder })
      return String((yield* add(clinic, caseId, [cancellation])).json.data.escalations[0].id)
    })
    const [ofAda, ofBob, waiting] = [yield* escalated(ada), yield* escalated(bob), yield* escalated()]
    for (const [userId, own, foreign] of [
      [ada, [ofAda, waiting], [ofBob]],
      [bob, [ofBob], [ofAda, waiting]]
    ] as const) {
      const staff = signedIn(userId, organizationId, "PROVIDER")
      const read = (query: string) =>
        callAs(staff, "cases", "GET", `/admin/v1/escalations?organizationId=${organizationId}${query}`)
      const listed = yield* read("")
      assert.deepStrictEqual([idsOf(listed), listed.json.nextCursor], [own, null])
      assert.deepStrictEqual(idsOf(yield* read("&limit=1")), own.slice(0, 1))
      for (const id of foreign) {
        const refused = yield* callAs(staff, "cases", "POST", `/admin/v1/escalations/${id}/complete`)
        assert.strictEqual(refused.status, 404)
      }
    }
  })

  it("list 400: without an organization, or with an unknown state; an unknown organization has none", function* () {
    for (const [query, detail] of [
      ["", "organizationId, Required"],
      ["?organizationId=x", "organizationId, must be a valid UUID"],
      [`?organizationId=${unknownId}&state=LATE`, /^state, /]
    ] as const) {
      const { json, status } = yield* admin("GET", `/escalations${query}`)
      assert.strictEqual(status, 400, query)
      if (typeof detail === "string") assert.strictEqual(json.detail, detail)
      else assert.match(json.detail, detail)
    }
    const none = yield* admin("GET", `/escalations?organizationId=${unknownId}`)
    assert.deepStrictEqual([none.status, none.json], [200, { data: [], nextCursor: null }])
  })

  it("a list is recorded with every case that it showed", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const second = yield* newCase(clinic)
    for (const id of [caseId, second]) yield* add(clinic, id, [cancellation])
    const requestId = (yield* ofOrganization(clinic)).headers.get("x-request-id")
    const recorded = yield* until(
      admin("GET", `/audit?organizationId=${clinic.organizationId}&action=CASE_READ`),
      ({ json }) => json.data.some((record: { readonly requestId: string }) => record.requestId === requestId)
    )
    const record = recorded.json.data.find((each: { readonly requestId: string }) => each.requestId === requestId)
    assert.sameMembers(record.kinds, ["ESCALATIONS", "PROFILE"])
    assert.sameMembers(
      record.shown.map((shown: { readonly caseId: string }) => shown.caseId),
      [caseId, second]
    )
  })
})
