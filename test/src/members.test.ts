import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin } from "./harness/call.ts"
import { addStaff, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"
const idsOf = ({ json }: Answer): ReadonlyArray<string> => json.data.map(({ id }: { readonly id: string }) => id)

testsOn(Suite.shared, "the members of an organization", (it) => {
  const read = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json)

  it("are listed in pages, oldest first, deleted ones by a filter, without patients and others' members", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    yield* addStaff(other)
    yield* createCase(clinic, caseBody(clinic))
    const ids = yield* Effect.forEach([1, 2, 3], () => addStaff(clinic, { role: "SUPPORT", title: "Dr." }))
    const list = (query = "") => admin("GET", `/organizations/${clinic.organizationId}/members${query}`)
    const all = yield* list()
    assert.deepStrictEqual([idsOf(all), all.json.nextCursor], [ids, null])
    assert.deepInclude(all.json.data[0], {
      role: "SUPPORT",
      firstName: "Jane",
      title: "Dr.",
      npi: null,
      isActive: true
    })
    const first = yield* list("?limit=2")
    assert.deepStrictEqual(idsOf(first), ids.slice(0, 2))
    assert.deepStrictEqual(idsOf(yield* list(`?limit=2&cursor=${first.json.nextCursor}`)), ids.slice(2))
    const [, left = ""] = ids
    yield* admin("DELETE", `/users/${left}`)
    assert.deepStrictEqual(
      idsOf(yield* list()),
      ids.filter((id) => id !== left)
    )
    const deleted = yield* list("?isActive=false")
    assert.deepStrictEqual([idsOf(deleted), deleted.json.data[0].isActive], [[left], false])
    assert.strictEqual((yield* list("?isActive=maybe")).status, 400)
    const unknown = yield* admin("GET", `/organizations/${unknownId}/members`)
    assert.deepStrictEqual([unknown.status, unknown.json.detail], [404, `No organization has the id ${unknownId}.`])
  })

  it("are changed field by field, null removes a field, and cases show the new name at once", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addStaff(clinic, { title: "Dr.", npi: "1234567893", licensedStates: ["NY"] })
    const caseId: string = (yield* createCase(clinic, caseBody(clinic, { isTest: true }))).json.data.caseId
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })
    const change = (body: object) => admin("PATCH", `/users/${provider}`, body)
    const renamed = yield* change({ lastName: "Lopez" })
    assert.strictEqual(renamed.status, 200)
    assert.deepInclude(renamed.json, { firstName: "Jane", lastName: "Lopez", title: "Dr.", licensedStates: ["NY"] })
    assert.deepInclude((yield* read(caseId)).assignedTo, { id: provider, lastName: "Lopez" })
    const changed = yield* change({
      title: null,
      titleSuffix: "MD",
      npi: null,
      dea: "AB1234563",
      licensedStates: ["CA"]
    })
    const { updatedAt: _, ...fields } = changed.json
    const { updatedAt: __, ...before } = renamed.json
    assert.deepStrictEqual(fields, {
      ...before,
      ...{ title: null, titleSuffix: "MD", npi: null, dea: "AB1234563", licensedStates: ["CA"] }
    })
    const listed = yield* admin("GET", `/organizations/${clinic.organizationId}/members`)
    assert.deepStrictEqual(listed.json.data, [changed.json])
  })

  it("a provider with a new license gets waiting cases, and one who is none any more gives back those that are not begun", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addStaff(clinic, { licensedStates: ["NY"] })
    const create = Effect.suspend(() =>
      Effect.map(createCase(clinic, caseBody(clinic)), ({ json }): string => json.data.caseId)
    )
    const [begun, waiting] = [yield* create, yield* create]
    yield* admin("PATCH", `/users/${provider}`, { licensedStates: ["NY", "CA"] })
    for (const caseId of [begun, waiting]) yield* until(read(caseId), ({ status }) => status === "ASSIGNED")
    yield* admin("POST", `/cases/${begun}/start`)
    const changed = yield* admin("PATCH", `/users/${provider}`, { role: "SUPPORT" })
    assert.strictEqual(changed.json.role, "SUPPORT")
    assert.isNull((yield* until(read(waiting), ({ status }) => status === "OPEN")).assignedTo)
    assert.strictEqual((yield* read(begun)).assignedTo.id, provider)
    const refused = yield* admin("POST", `/cases/${waiting}/assign`, { providerId: provider })
    assert.strictEqual(refused.status, 422)
    yield* admin("PATCH", `/users/${provider}`, { role: "PROVIDER" })
    assert.strictEqual((yield* until(read(waiting), ({ status }) => status === "ASSIGNED")).assignedTo.id, provider)
  })

  it("400 for what is malformed; 404 for a patient, a deleted member and an unknown one, of whom nothing changes", function* () {
    const clinic = yield* makeClinic
    const member = yield* addStaff(clinic, { role: "SUPPORT" })
    for (const [body, detail] of [
      [{ firstName: " " }, "firstName, must not be empty"],
      [{ role: "USER" }, /^role, /],
      [{ lastName: "Two\nlines" }, /^lastName, must not contain control/]
    ] as const) {
      const refused = yield* admin("PATCH", `/users/${member}`, body)
      assert.strictEqual(refused.status, 400)
      if (typeof detail === "string") assert.strictEqual(refused.json.detail, detail)
      else assert.match(refused.json.detail, detail)
    }
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const patient = (yield* read(caseId)).submitter
    yield* admin("DELETE", `/users/${member}`)
    for (const userId of [patient.id, member, unknownId]) {
      const refused = yield* admin("PATCH", `/users/${userId}`, { lastName: "Changed" })
      const detail = `No active member of staff has the id ${userId}.`
      assert.deepStrictEqual([refused.status, refused.json.detail], [404, detail])
    }
    assert.deepStrictEqual((yield* read(caseId)).submitter, patient)
  })
})
