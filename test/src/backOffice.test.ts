import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { untilStaffKnown } from "./harness/untilStaffKnown.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

testsOn(Suite.shared, "the back office", (it) => {
  let members = 0
  const addMember = Effect.fnUntraced(function* (
    { organizationId }: Clinic,
    changes: Readonly<Record<string, unknown>> = {}
  ) {
    members += 1
    const member = yield* admin("POST", `/organizations/${organizationId}/members`, {
      email: `member.${members}.${organizationId}@example.com`,
      firstName: "Jane",
      lastName: "Rivera",
      role: "PROVIDER",
      title: "Dr.",
      titleSuffix: "MD",
      npi: "1234567893",
      ...changes
    })
    const id: string = member.json.id
    return id
  })

  const newCase = (clinic: Clinic, changes: Readonly<Record<string, unknown>> = {}) =>
    Effect.map(createCase(clinic, caseBody(clinic, changes)), ({ json }): string => json.data.caseId)
  const read = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json)
  const list = (caseId: string, path: string) =>
    Effect.map(admin("GET", `/cases/${caseId}/${path}`), ({ json }) => json.data)
  const detail = (clinic: Clinic, caseId: string) =>
    Effect.map(
      call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key }),
      ({ json }) => json.caseDetail
    )
  const assigned = (clinic: Clinic) =>
    Effect.andThen(jobsDone("cases", "assignment", clinic), jobsDone("cases", "assignment-sweep", clinic))
  const untilAssigned = (caseId: string) => until(read(caseId), ({ status }) => status === "ASSIGNED")

  const decision = (addedByUserId: string, changes: Readonly<Record<string, unknown>> = {}) => ({
    addedByUserId,
    isApproved: true,
    isNoDecision: false,
    decisionText: "Approved for three months",
    category: "weight",
    visitType: "SYNC_VIDEO",
    startDate: "2026-01-01T00:00:00.000Z",
    endDate: "2026-04-01T00:00:00.000Z",
    medInfo: [{ medicine: "Semaglutide", dosage: "0.25 mg", refillCount: 2, isRefill: true }],
    ...changes
  })

  it("a new case is assigned to the provider with the fewest cases, fairly when many arrive at once", function* () {
    const clinic = yield* makeClinic
    const providers = [yield* addMember(clinic), yield* addMember(clinic), yield* addMember(clinic)]
    yield* untilStaffKnown(clinic)
    const cases = yield* Effect.all(
      Array.from({ length: 12 }, () => newCase(clinic)),
      { concurrency: "unbounded" }
    )
    yield* assigned(clinic)
    const details = yield* Effect.forEach(cases, read)
    assert.isTrue(details.every(({ status }) => status === "ASSIGNED"))
    for (const provider of providers) {
      assert.strictEqual(details.filter(({ assignedTo }) => assignedTo.id === provider).length, 4)
    }
    const partnerDetail = yield* detail(clinic, cases[0] ?? "")
    assert.include(providers, partnerDetail.assignedTo.id)
    assert.isNull(partnerDetail.assignedBy)
  })

  it("only active providers of the organization get cases, licensed in the patient's state if that is known", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    yield* addMember(other)
    yield* addMember(clinic, { role: "SUPPORT" })
    yield* addMember(clinic, { licensedStates: ["NY", "TX"] })
    const deleted = yield* addMember(clinic)
    yield* admin("DELETE", `/users/${deleted}`)
    yield* untilStaffKnown(clinic)
    const [{ user }] = [caseBody(clinic)]
    const inCalifornia = { ...user, shippingAddress: { addressLine1: "1 A St", state: "california" } }
    const caseId = yield* newCase(clinic, { user: inCalifornia })
    yield* assigned(clinic)
    assert.deepInclude(yield* read(caseId), { status: "OPEN", assignedTo: null })
    const licensed = yield* addMember(clinic, { licensedStates: ["CA"] })
    assert.strictEqual((yield* untilAssigned(caseId)).assignedTo.id, licensed)
  })

  it("waiting cases of the organization are assigned when a provider joins, oldest first", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const waiting = [yield* newCase(clinic), yield* newCase(clinic)]
    const foreign = yield* newCase(other)
    for (const each of [clinic, other]) yield* assigned(each)
    const provider = yield* addMember(clinic)
    for (const caseId of waiting) assert.strictEqual((yield* untilAssigned(caseId)).assignedTo.id, provider)
    yield* assigned(other)
    assert.strictEqual((yield* read(foreign)).status, "OPEN")
  })

  it("abandoned and test cases are not assigned", function* () {
    const clinic = yield* makeClinic
    yield* addMember(clinic)
    yield* untilStaffKnown(clinic)
    const abandoned = yield* newCase(clinic, { status: "ABANDONED" })
    const test = yield* newCase(clinic, { isTest: true })
    yield* assigned(clinic)
    assert.deepInclude(yield* read(abandoned), { status: "ABANDONED", assignedTo: null })
    assert.deepInclude(yield* read(test), { status: "OPEN", assignedTo: null })
  })

  it("a case goes from assigned through started to decided, and the partner can read all steps", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic, { isTest: true })
    const provider = yield* addMember(clinic, { phoneNumber: "+14155553000", dea: "AB1234563" })
    const response = yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })
    assert.deepStrictEqual(
      [response.status, response.json.status, response.json.assignedTo.id],
      [200, "ASSIGNED", provider]
    )
    const started = yield* admin("POST", `/cases/${caseId}/start`)
    assert.deepStrictEqual([started.status, started.json.status], [200, "IN_PROGRESS"])
    assert.match(started.json.inProgressAt, /Z$/)
    const decided = yield* admin("POST", `/cases/${caseId}/decisions`, {
      ...decision(provider, { productId: clinic.productId.toUpperCase() })
    })
    assert.strictEqual(decided.status, 201)
    const approved = yield* detail(clinic, caseId)
    assert.strictEqual(approved.status, "APPROVED")
    assert.deepStrictEqual(approved.decisions, [decided.json])
    assert.deepStrictEqual(yield* list(caseId, "decisions"), [decided.json])
    assert.deepInclude(decided.json, {
      isApproved: true,
      isNoDecision: false,
      decisionText: "Approved for three months",
      category: "weight",
      visitType: "SYNC_VIDEO",
      productId: clinic.productId,
      startDate: "2026-01-01T00:00:00.000Z",
      endDate: "2026-04-01T00:00:00.000Z"
    })
    assert.deepStrictEqual(decided.json.addedBy, {
      firstName: "Jane",
      lastName: "Rivera",
      title: "Dr.",
      titleSuffix: "MD",
      email: approved.assignedTo.email,
      phoneNumber: "+14155553000",
      npi: "1234567893",
      dea: "AB1234563",
      address: "",
      address2: null,
      city: "",
      state: "",
      postalCode: "",
      country: null
    })
    const [medicine] = decided.json.medInfo
    assert.deepStrictEqual(medicine, {
      id: medicine.id,
      medicine: "Semaglutide",
      dosage: "0.25 mg",
      refillCount: 2,
      pharmacyInstructions: "",
      dosingFrequency: "",
      externalId: null,
      isRefill: true,
      treatmentPeriod: "",
      isPriorAuthRequested: false
    })
  })

  it("an assigned case can be reassigned, and the activity names the actor and the former provider", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const [first, second, staff] = [
      yield* addMember(clinic),
      yield* addMember(clinic),
      yield* addMember(clinic, { role: "SUPPORT" })
    ]
    const foreign = yield* addMember(other, { role: "SUPPORT" })
    const caseId = yield* newCase(clinic, { isTest: true })
    const assign = (body: object) => admin("POST", `/cases/${caseId}/assign`, body)
    yield* assign({ providerId: first })
    for (const assignedByUserId of [foreign, unknownId]) {
      const refused = yield* assign({ providerId: second, assignedByUserId })
      const text = `The organization knows no user ${assignedByUserId}.`
      assert.deepStrictEqual([refused.status, refused.json.detail], [422, text])
    }
    const deleted = yield* addMember(clinic, { role: "SUPPORT" })
    yield* admin("DELETE", `/users/${deleted}`)
    yield* untilStaffKnown(clinic)
    for (const assignedByUserId of [(yield* read(caseId)).submitter.id, deleted]) {
      const refused = yield* assign({ providerId: second, assignedByUserId })
      const text = `The user ${assignedByUserId} is no active member of the organization's staff.`
      assert.deepStrictEqual([refused.status, refused.json.detail], [422, text])
    }
    assert.deepInclude((yield* read(caseId)).assignedTo, { id: first })
    const response = yield* assign({ providerId: second, assignedByUserId: staff })
    assert.deepStrictEqual([response.json.assignedTo.id, response.json.assignedBy.id], [second, staff])
    const loads = inDatabase(
      "cases",
      (sql) => sql<{ id: string; count: number }>`
          SELECT provider_id AS id, case_count AS count FROM cases.provider_loads
          WHERE organization_id = ${clinic.organizationId}
        `
    )
    const countsOf = Effect.map(loads, (rows) => Object.fromEntries(rows.map(({ count, id }) => [id, count])))
    assert.deepStrictEqual(yield* countsOf, { [first]: 0, [second]: 1 })
    const [, , reassigned] = yield* list(caseId, "activity")
    assert.deepInclude(reassigned, {
      type: "CASE_ASSIGNED",
      actor: { type: "OPERATOR", id: null },
      details: { from: "ASSIGNED", to: "ASSIGNED", providerId: second, previousProviderId: first }
    })
    const repeated = yield* assign({ providerId: first })
    assert.deepStrictEqual([repeated.json.assignedTo.id, repeated.json.assignedBy], [first, null])
    assert.deepStrictEqual(yield* countsOf, { [first]: 1, [second]: 0 })
  })

  it("when a provider leaves, their cases that are not started go to others, or wait if there are none", function* () {
    const clinic = yield* makeClinic
    const first = yield* addMember(clinic)
    const [waiting, started] = [yield* newCase(clinic), yield* newCase(clinic)]
    for (const caseId of [waiting, started]) yield* untilAssigned(caseId)
    yield* admin("POST", `/cases/${started}/start`)
    yield* admin("DELETE", `/users/${first}`)
    const released = yield* until(read(waiting), ({ status }) => status === "OPEN")
    assert.isNull(released.assignedTo)
    assert.strictEqual((yield* read(started)).status, "IN_PROGRESS")
    const second = yield* addMember(clinic)
    assert.strictEqual((yield* untilAssigned(waiting)).assignedTo.id, second)
    // Any provider may decide on a started case.
    assert.strictEqual((yield* admin("POST", `/cases/${started}/decisions`, decision(second))).status, 201)
  })

  it("a decision makes the case APPROVED, REJECTED or NO_DECISION", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addMember(clinic)
    for (const [changes, status] of [
      [{}, "APPROVED"],
      [{ isApproved: false, medInfo: [] }, "REJECTED"],
      [{ isApproved: false, isNoDecision: true, medInfo: [] }, "NO_DECISION"]
    ] as const) {
      const caseId = yield* newCase(clinic, { isTest: true })
      yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })
      const decided = yield* admin("POST", `/cases/${caseId}/decisions`, decision(provider, changes))
      assert.deepStrictEqual([decided.status, (yield* read(caseId)).status], [201, status])
    }
  })

  it("409: an operation that the status of the case does not allow, and nothing changes", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addMember(clinic)
    const caseId = yield* newCase(clinic, { isTest: true })
    const refused = Effect.fnUntraced(function* (operation: string, body: unknown, detailText: string) {
      const answer = yield* admin("POST", `/cases/${caseId}/${operation}`, body)
      assert.strictEqual(answer.status, 409)
      assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
      assert.strictEqual(answer.json.detail, detailText)
    })
    const assign = { providerId: provider }
    const undecidable = "The case is OPEN; it has to be ASSIGNED or IN_PROGRESS or APPROVED or REJECTED or NO_DECISION."
    yield* refused("start", undefined, "The case is OPEN; it has to be ASSIGNED.")
    yield* refused("decisions", decision(provider), undecidable)
    yield* admin("POST", `/cases/${caseId}/assign`, assign)
    yield* admin("POST", `/cases/${caseId}/start`)
    yield* refused("assign", assign, "The case is IN_PROGRESS; it has to be OPEN or ASSIGNED.")
    yield* refused("start", undefined, "The case is IN_PROGRESS; it has to be ASSIGNED.")
    yield* inDatabase("cases", (sql) => sql`UPDATE cases.cases SET is_archived = true WHERE id = ${caseId}`)
    yield* refused("decisions", decision(provider), "The case is archived (IN_PROGRESS).")
    assert.deepInclude(yield* read(caseId), { status: "IN_PROGRESS", decisions: [] })
  })

  it("422: a user who is not an active provider of the case's organization, and a product that the case does not have", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const provider = yield* addMember(clinic)
    const caseId = yield* newCase(clinic, { isTest: true })
    const support = yield* addMember(clinic, { role: "SUPPORT" })
    const foreign = yield* addMember(other)
    const deleted = yield* addMember(clinic)
    yield* admin("DELETE", `/users/${deleted}`)
    yield* untilStaffKnown(clinic)
    for (const providerId of [support, foreign, deleted, unknownId]) {
      const refused = yield* admin("POST", `/cases/${caseId}/assign`, { providerId })
      const text = `The user ${providerId} is no active PROVIDER of the organization.`
      assert.deepStrictEqual([refused.status, refused.json.detail], [422, text])
    }
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })
    const byOther = yield* admin("POST", `/cases/${caseId}/decisions`, decision(foreign))
    assert.strictEqual(byOther.status, 422)
    const productId = other.productId
    const aboutOther = yield* admin("POST", `/cases/${caseId}/decisions`, decision(provider, { productId }))
    assert.deepStrictEqual([aboutOther.status, aboutOther.json.detail], [422, `The case has no product ${productId}.`])
    assert.deepInclude(yield* read(caseId), { status: "ASSIGNED", decisions: [] })
  })

  it("400: malformed decisions and comments", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addMember(clinic)
    const caseId = yield* newCase(clinic, { isTest: true })
    for (const [changes, text] of [
      [{ isNoDecision: true }, "isNoDecision, must not be true together with isApproved"],
      [{ endDate: "2025-01-01T00:00:00.000Z" }, "endDate, must not be before startDate"],
      [{ startDate: "soon" }, /^startDate, /],
      [{ visitType: "x" }, /^visitType, /],
      [{ medInfo: [{ medicine: "" }] }, "medInfo.0.medicine, must not be empty"],
      [{ addedByUserId: "x" }, "addedByUserId, must be a valid UUID"]
    ] as const) {
      const refused = yield* admin("POST", `/cases/${caseId}/decisions`, decision(provider, changes))
      assert.strictEqual(refused.status, 400)
      if (typeof text === "string") assert.strictEqual(refused.json.detail, text)
      else assert.match(refused.json.detail, text)
    }
    const empty = yield* admin("POST", `/cases/${caseId}/comments`, {
      authorUserId: provider,
      text: " ",
      isRestricted: false
    })
    assert.deepStrictEqual([empty.status, empty.json.detail], [400, "text, must not be empty"])
  })

  it("comments and internal notes are shown apart, oldest first, with their authors", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const provider = yield* addMember(clinic)
    const foreign = yield* addMember(other)
    const caseId = yield* newCase(clinic, { isTest: true })
    const patient = (yield* read(caseId)).submitter.id
    const say = (authorUserId: string, text: string, isRestricted: boolean) =>
      admin("POST", `/cases/${caseId}/comments`, { authorUserId, text, isRestricted })
    const first = yield* say(patient, "I have a question", false)
    const second = yield* say(provider.toUpperCase(), "Please answer it", true)
    const third = yield* say(provider, "Yes", false)
    assert.deepStrictEqual([first.status, second.status, third.status], [201, 201, 201])
    const partnerDetail = yield* detail(clinic, caseId)
    assert.deepStrictEqual(partnerDetail.comments, [first.json, third.json])
    assert.deepStrictEqual(partnerDetail.notes, [second.json])
    assert.deepStrictEqual(yield* list(caseId, "comments"), [third.json, second.json, first.json])
    assert.deepStrictEqual(yield* list(caseId, "comments?isRestricted=true"), [second.json])
    assert.deepStrictEqual(yield* list(caseId, "comments?isRestricted=false"), [third.json, first.json])
    assert.deepInclude(second.json, { text: "Please answer it", isRestricted: true, attachments: [] })
    assert.strictEqual(second.json.author.id, provider)
    const byOther = yield* say(foreign, "Hello", false)
    assert.deepStrictEqual([byOther.status, byOther.json.detail], [422, `The organization knows no user ${foreign}.`])
    const noted = yield* say(patient, "A note", true)
    const notStaff = `The user ${patient} is no active member of the organization's staff.`
    assert.deepStrictEqual([noted.status, noted.json.detail], [422, notStaff])
    const stored = yield* inDatabase(
      "cases",
      (sql) => sql<{ text: string }>`SELECT text FROM cases.comments WHERE case_id = ${caseId}`
    )
    assert.strictEqual(stored.length, 3)
    for (const { text } of stored) assert.match(text, /^[\w-]{22}:[A-Za-z0-9+/=]+$/)
  })

  it("404 for an unknown case", function* () {
    const provider = unknownId
    for (const [operation, body] of [
      ["assign", { providerId: provider }],
      ["start", undefined],
      ["decisions", decision(provider)],
      ["comments", { authorUserId: provider, text: "x", isRestricted: false }]
    ] as const) {
      assert.strictEqual((yield* admin("POST", `/cases/${unknownId}/${operation}`, body)).status, 404)
    }
  })
})
