import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { closeCase } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

testsOn(Suite.shared, "the assignment of many cases", (it) => {
  const newCase = (clinic: Clinic) =>
    Effect.map(createCase(clinic, caseBody(clinic, { isTest: true })), ({ json }): string => json.data.caseId)
  const assign = (clinic: Clinic, caseIds: ReadonlyArray<string>, providerId: string, more: object = {}) =>
    admin("POST", "/cases/assign", { organizationId: clinic.organizationId, caseIds, providerId, ...more })
  const read = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json)

  it("200: each case is answered once, in the order of the request, with its own outcome", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const [provider, former, staff] = [
      yield* addStaff(clinic),
      yield* addStaff(clinic),
      yield* addStaff(clinic, { role: "SUPPORT" })
    ]
    const [open, assigned, begun, closed] = yield* Effect.forEach([1, 2, 3, 4], () => newCase(clinic))
    const foreign = yield* newCase(other)
    for (const caseId of [assigned, begun]) yield* admin("POST", `/cases/${caseId}/assign`, { providerId: former })
    yield* admin("POST", `/cases/${begun}/start`)
    yield* closeCase(clinic, String(closed))
    const requested = [begun, open, foreign, closed, open, unknownId, assigned].map(String)
    const answer = yield* assign(clinic, requested, provider, { assignedByUserId: staff })
    const none = "The organization has no case with this id."
    assert.deepStrictEqual(
      [answer.status, answer.json.data],
      [
        200,
        [
          {
            caseId: begun,
            outcome: "STATUS_CONFLICT",
            detail: "The case is IN_PROGRESS; it has to be OPEN or ASSIGNED."
          },
          { caseId: open, outcome: "ASSIGNED", detail: null },
          { caseId: foreign, outcome: "NOT_FOUND", detail: none },
          { caseId: closed, outcome: "STATUS_CONFLICT", detail: "The case is archived (OPEN)." },
          { caseId: unknownId, outcome: "NOT_FOUND", detail: none },
          { caseId: assigned, outcome: "ASSIGNED", detail: null }
        ]
      ]
    )
    for (const caseId of [open, assigned]) {
      const { assignedBy, assignedTo, status } = yield* read(String(caseId))
      assert.deepStrictEqual([status, assignedTo.id, assignedBy.id], ["ASSIGNED", provider, staff])
    }
    assert.deepInclude(yield* read(foreign), { status: "OPEN", assignedTo: null })
    assert.strictEqual((yield* read(String(begun))).assignedTo.id, former)
    const loads = yield* inDatabase(
      "cases",
      (sql) => sql<{ count: number }>`
        SELECT case_count AS count FROM cases.provider_loads WHERE provider_id = ${provider}
      `
    )
    assert.deepStrictEqual(loads, [{ count: 2 }])
  })

  it("two at once of the same cases both succeed, and each case belongs to one of their providers", function* () {
    const clinic = yield* makeClinic
    const providers = [yield* addStaff(clinic), yield* addStaff(clinic)]
    const caseIds = yield* Effect.forEach(Array.from({ length: 10 }), () => newCase(clinic))
    const answers = yield* Effect.forEach(providers, (provider) => assign(clinic, caseIds, provider), {
      concurrency: "unbounded"
    })
    for (const { json, status } of answers) {
      assert.strictEqual(status, 200)
      for (const { outcome } of json.data) assert.strictEqual(outcome, "ASSIGNED")
    }
    const assignees = (yield* Effect.forEach(caseIds, read)).map(({ assignedTo }): string => assignedTo.id)
    const loads = yield* inDatabase(
      "cases",
      (sql) => sql<{ id: string; count: number }>`
        SELECT provider_id AS id, case_count AS count FROM cases.provider_loads
        WHERE organization_id = ${clinic.organizationId}
      `
    )
    for (const provider of providers) {
      const count = loads.find(({ id }) => id === provider)?.count ?? 0
      assert.strictEqual(count, assignees.filter((id) => id === provider).length)
    }
  })

  it("422 for somebody who is no provider or no staff of the organization, and nothing is assigned", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const [provider, support, foreign] = [
      yield* addStaff(clinic),
      yield* addStaff(clinic, { role: "SUPPORT" }),
      yield* addStaff(other)
    ]
    const caseId = yield* newCase(clinic)
    const patient: string = (yield* read(caseId)).submitter.id
    for (const providerId of [support, foreign, unknownId]) {
      const { json, status } = yield* assign(clinic, [caseId], providerId)
      const detail = `The user ${providerId} is no active PROVIDER of the organization.`
      assert.deepStrictEqual([status, json.detail], [422, detail])
    }
    for (const [assignedByUserId, detail] of [
      [foreign, `The organization knows no user ${foreign}.`],
      [patient, `The user ${patient} is no active member of the organization's staff.`]
    ] as const) {
      const { json, status } = yield* assign(clinic, [caseId], provider, { assignedByUserId })
      assert.deepStrictEqual([status, json.detail], [422, detail])
    }
    assert.deepInclude(yield* read(caseId), { status: "OPEN", assignedTo: null })
  })

  it("400 without a case, with more than 100, or without an organization", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addStaff(clinic)
    for (const [body, detail] of [
      [{ caseIds: [] }, "caseIds, must name a case"],
      [{ caseIds: Array.from({ length: 101 }, () => unknownId) }, /^caseIds, must be at most 100/],
      [{ caseIds: ["x"] }, "caseIds.0, must be a valid UUID"],
      [{ organizationId: undefined }, "organizationId, Required"]
    ] as const) {
      const { json, status } = yield* assign(clinic, [unknownId], provider, body)
      assert.strictEqual(status, 400)
      if (typeof detail === "string") assert.strictEqual(json.detail, detail)
      else assert.match(json.detail, detail)
    }
  })
})
