import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./harness/call.ts"
import { callAs, signedIn } from "./harness/callAs.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, decisionBody, makeClinic } from "./harness/fixtures.ts"
import { closeCase } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

testsOn(Suite.shared, "taking a case", (it) => {
  const newCase = (clinic: Clinic, changes: Readonly<Record<string, unknown>> = {}) =>
    Effect.map(
      createCase(clinic, caseBody(clinic, { isTest: true, ...changes })),
      ({ json }): string => json.data.caseId
    )
  const read = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json)
  const addProvider = (clinic: Clinic, firstName: string, changes: object = {}) =>
    Effect.map(addStaff(clinic, { firstName, lastName: "Byron", npi: "1234567893", ...changes }), (userId) =>
      signedIn(userId, clinic.organizationId, "PROVIDER")
    )
  type Provider = Effect.Success<ReturnType<typeof addProvider>>
  const take = (provider: Provider, caseId: string, providerId: string = provider.userId) =>
    callAs(provider, "cases", "POST", `/admin/v1/cases/${caseId}/assign`, { providerId, onlyIfUnassigned: true })
  const assignedAt = (caseId: string) =>
    Effect.map(
      inDatabase("cases", (sql) => sql<{ at: Date }>`SELECT assigned_at AS at FROM cases.cases WHERE id = ${caseId}`),
      ([row]) => row?.at.toISOString() ?? ""
    )
  const takenBy = (name: string, at: string) => ({ detail: `${name} Byron took this case.`, at })

  it("of ten at once one succeeds, and the other nine are told who has the case, and since when", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic)
    const names = Array.from({ length: 10 }, (_, index) => `Ada${index}`)
    const providers = yield* Effect.forEach(names, (name) => addProvider(clinic, name))
    const answers = yield* Effect.forEach(providers, (provider) => take(provider, caseId), {
      concurrency: "unbounded"
    })
    const { assignedTo } = yield* read(caseId)
    const winners = providers.filter((_, index) => answers[index]?.status === 200)
    assert.deepStrictEqual(
      winners.map(({ userId }) => userId),
      [assignedTo.id]
    )
    for (const { json } of answers.filter(({ status }) => status !== 200)) {
      const taken = takenBy(assignedTo.firstName, yield* assignedAt(caseId))
      assert.deepInclude(json, { status: 409, title: "Another provider has the case", ...taken })
    }
    const assigned = yield* inDatabase(
      "cases",
      (sql) => sql`SELECT actor_id FROM cases.case_activity WHERE case_id = ${caseId} AND type = 'CASE_ASSIGNED'`
    )
    assert.deepStrictEqual(assigned, [{ actor_id: assignedTo.id }])
  })

  it("whoever has the case takes it again without a change, also when work has begun", function* () {
    const clinic = yield* makeClinic
    const ada = yield* addProvider(clinic, "Ada")
    const caseId = yield* newCase(clinic)
    const first = yield* take(ada, caseId)
    const again = yield* take(ada, caseId)
    assert.deepStrictEqual([first.status, again.status, again.json], [200, 200, first.json])
    yield* callAs(ada, "cases", "POST", `/admin/v1/cases/${caseId}/start`)
    assert.deepInclude((yield* take(ada, caseId)).json, { id: caseId, status: "IN_PROGRESS" })
    // Support, and operators, take cases for a provider; without the flag they hand the case over.
    const bob = yield* addProvider(clinic, "Bob")
    const refused = yield* admin("POST", `/cases/${caseId}/assign`, { providerId: bob.userId, onlyIfUnassigned: true })
    assert.deepInclude(refused.json, { status: 409, ...takenBy("Ada", yield* assignedAt(caseId)) })
  })

  it("404: a case that the provider may never see, and one of another organization", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const elsewhere = yield* addProvider(clinic, "Eve", { licensedStates: ["TX"] })
    const foreign = yield* addProvider(other, "Mallory")
    const ada = yield* addProvider(clinic, "Ada")
    const caseId = yield* newCase(clinic)
    for (const provider of [elsewhere, foreign]) assert.strictEqual((yield* take(provider, caseId)).status, 404)
    yield* take(ada, caseId)
    assert.strictEqual((yield* take(foreign, caseId)).status, 404)
    // Nobody sees a case by taking it for the one who has it.
    const bob = yield* addProvider(clinic, "Bob")
    assert.strictEqual((yield* take(bob, caseId, ada.userId)).status, 404)
    yield* callAs(ada, "cases", "POST", `/admin/v1/cases/${caseId}/decisions`, {
      ...decisionBody(ada.userId),
      addedByUserId: undefined
    })
    assert.strictEqual((yield* take(bob, caseId)).status, 404, "a decided case waits for nobody")
  })

  it("409: a case that does not wait for a provider", function* () {
    const clinic = yield* makeClinic
    const ada = yield* addProvider(clinic, "Ada")
    const takeFor = (caseId: string) =>
      Effect.map(
        admin("POST", `/cases/${caseId}/assign`, { providerId: ada.userId, onlyIfUnassigned: true }),
        ({ json, status }) => [status, json.detail]
      )
    const closed = yield* newCase(clinic)
    yield* closeCase(clinic, closed)
    const abandoned = yield* newCase(clinic, { status: "ABANDONED" })
    assert.deepStrictEqual(yield* takeFor(closed), [409, "The case is archived (OPEN)."])
    assert.deepStrictEqual(yield* takeFor(abandoned), [409, "The case is ABANDONED; it has to be OPEN."])
  })

  it("409 of other work says which member of the staff was first, what they did, and when", function* () {
    const clinic = yield* makeClinic
    const ada = yield* addProvider(clinic, "Ada")
    const caseId = yield* newCase(clinic)
    yield* take(ada, caseId)
    const start = callAs(ada, "cases", "POST", `/admin/v1/cases/${caseId}/start`)
    const { inProgressAt } = (yield* start).json
    const needsAssigned = (status: string) => `The case is ${status}; it has to be ASSIGNED.`
    const again = yield* start
    assert.deepInclude(again.json, {
      status: 409,
      detail: `${needsAssigned("IN_PROGRESS")} Ada Byron began work on it.`,
      at: inProgressAt
    })
    const decided = yield* callAs(ada, "cases", "POST", `/admin/v1/cases/${caseId}/decisions`, decisionBody(ada.userId))
    const third = (yield* start).json
    assert.strictEqual(third.detail, `${needsAssigned("APPROVED")} Ada Byron decided on it.`)
    assert.closeTo(Date.parse(third.at), Date.parse(decided.json.createdAt), 60_000)
    // A partner who closes a case is no member of the staff.
    yield* closeCase(clinic, caseId)
    const late = yield* admin("POST", `/cases/${caseId}/decisions`, decisionBody(ada.userId))
    assert.deepStrictEqual([late.status, late.json.detail], [409, "The case is archived (APPROVED)."])
  })

  it("the queue of a provider has whole pages of the cases that they may take, oldest first, though others came before", function* () {
    const clinic = yield* makeClinic
    const texan = yield* addProvider(clinic, "Tex", { licensedStates: ["TX"] })
    const ofState = (state: string) => {
      const { user } = caseBody(clinic)
      return newCase(clinic, { user: { ...user, shippingAddress: { ...user.shippingAddress, state } } })
    }
    for (const state of ["CA", "CA", "CA", "CA"]) yield* ofState(state)
    const waiting = [yield* ofState("TX"), yield* ofState("TX")]
    const { json } = yield* callAs(texan, "cases", "GET", "/admin/v1/cases?status=OPEN&order=OLDEST&limit=2")
    assert.deepStrictEqual(
      json.data.map(({ id, patientState }: { id: string; patientState: string }) => [id, patientState]),
      waiting.map((id) => [id, "TX"])
    )
    for (const id of waiting) assert.strictEqual((yield* take(texan, id)).status, 200)
  })

  it("400: a flag that is none", function* () {
    const clinic = yield* makeClinic
    const refused = yield* admin("POST", `/cases/${yield* newCase(clinic)}/assign`, {
      providerId: clinic.productId,
      onlyIfUnassigned: "yes"
    })
    assert.strictEqual(refused.status, 400)
    assert.match(refused.json.detail, /^onlyIfUnassigned, /)
  })
})
