import type { StaffRole } from "@care/domain/auth"
import type { Staff } from "@care/domain/http"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./harness/call.ts"
import { callAs, signedIn } from "./harness/callAs.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

testsOn(Suite.shared, "the viewers of a case", (it) => {
  const addMember = (clinic: Clinic, firstName: string, role: StaffRole = "SUPPORT") =>
    Effect.map(addStaff(clinic, { firstName, lastName: "Byron", role }), (userId) =>
      signedIn(userId, clinic.organizationId, role)
    )
  const pathOf = (caseId: string) => `/admin/v1/cases/${caseId}/viewers`
  const look = (staff: Staff, caseId: string) => callAs(staff, "cases", "POST", pathOf(caseId))
  const leave = (staff: Staff, caseId: string) => callAs(staff, "cases", "DELETE", pathOf(caseId))
  const namesFor = (staff: Staff, caseId: string) =>
    Effect.map(
      look(staff, caseId),
      ({ json }): ReadonlyArray<string> => json.data.map(({ firstName }: { firstName: string }) => firstName)
    )
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic, { isTest: true }))).json.data.caseId
    return { clinic, caseId }
  })
  /** Lets time pass for somebody since they were seen. */
  const age = ({ userId }: Staff, seconds: number) =>
    inDatabase(
      "cases",
      (sql) => sql`
        UPDATE cases.case_viewers
        SET since = since - ${seconds}::int * interval '1 second', seen_at = seen_at - ${seconds}::int * interval '1 second'
        WHERE viewer_id = ${userId}
      `
    )

  it("200: the others, longest first, until they leave or were not seen for 30 seconds", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const [ada, bob, eve] = [
      yield* addMember(clinic, "Ada", "PROVIDER"),
      yield* addMember(clinic, "Bob"),
      yield* addMember(clinic, "Eve")
    ]
    assert.deepStrictEqual(yield* namesFor(ada, caseId), [])
    const seen = yield* look(bob, caseId)
    const [first] = seen.json.data
    assert.deepStrictEqual([seen.status, seen.json.data.length], [200, 1])
    assert.deepInclude(first, { userId: ada.userId, firstName: "Ada", lastName: "Byron" })
    yield* age(ada, 20)
    assert.deepStrictEqual(yield* namesFor(eve, caseId), ["Ada", "Bob"])
    // Whoever looks again has looked since the beginning.
    yield* look(ada, caseId)
    yield* age(ada, 20)
    const [longest] = (yield* look(eve, caseId)).json.data
    assert.strictEqual(Date.parse(first.since) - Date.parse(longest.since), 40_000)
    yield* age(ada, 11)
    assert.deepStrictEqual(yield* namesFor(eve, caseId), ["Bob"])
    // And whoever comes back after that begins again.
    yield* look(ada, caseId)
    const [, returned] = (yield* look(eve, caseId)).json.data
    assert.isAbove(Date.parse(returned.since), Date.parse(longest.since))
    assert.strictEqual((yield* leave(bob, caseId)).status, 204)
    assert.strictEqual((yield* leave(bob, caseId)).status, 204)
    assert.deepStrictEqual(yield* namesFor(eve, caseId), ["Ada"])
  })

  it("200: the number of the newest change", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const ada = yield* addMember(clinic, "Ada")
    const before: number = (yield* look(ada, caseId)).json.lastChange
    yield* callAs(ada, "cases", "POST", `/admin/v1/cases/${caseId}/comments`, { text: "Hello", isRestricted: true })
    assert.strictEqual((yield* look(ada, caseId)).json.lastChange, before + 1)
    const { json } = yield* admin("GET", `/cases/${caseId}/timeline?limit=1`)
    assert.strictEqual(json.data[0].sequence, before + 1)
  })

  it("an operator sees the viewers, and is none", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const ada = yield* addMember(clinic, "Ada")
    const operator = signedIn(
      "7b241101-e2bb-4255-8caf-4136c566a962",
      "00000000-0000-4000-8000-0000000c0de0",
      "OPERATOR"
    )
    yield* look(ada, caseId)
    assert.deepStrictEqual(yield* namesFor(operator, caseId), ["Ada"])
    assert.deepStrictEqual(yield* namesFor(ada, caseId), [])
    assert.strictEqual((yield* leave(operator, caseId)).status, 204)
  })

  it("403: a machine, and a role that does not read cases", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    for (const method of ["POST", "DELETE"]) {
      const refused = yield* admin(method, `/cases/${caseId}/viewers`)
      assert.deepInclude(refused.json, { status: 403, code: "REFUSED" })
      const administrator = yield* addMember(clinic, "Ada", "ADMIN")
      assert.deepInclude((yield* callAs(administrator, "cases", method, pathOf(caseId))).json, {
        status: 403,
        code: "ROLE_REFUSED"
      })
    }
  })

  it("404: another organization's case, and one that a provider may not see; nobody is noted", function* () {
    const { caseId, clinic } = yield* clinicWithCase
    const foreign = yield* addMember(yield* makeClinic, "Mallory")
    const [ada, bob] = [yield* addMember(clinic, "Ada", "PROVIDER"), yield* addMember(clinic, "Bob", "PROVIDER")]
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: ada.userId })
    for (const staff of [foreign, bob]) {
      for (const answer of [yield* look(staff, caseId), yield* leave(staff, caseId)]) {
        assert.deepInclude(answer.json, { status: 404, title: "Case not found" })
      }
    }
    assert.deepStrictEqual(yield* namesFor(ada, caseId), [])
  })

  it("400: no case id", function* () {
    const { clinic } = yield* clinicWithCase
    const ada = yield* addMember(clinic, "Ada")
    assert.strictEqual((yield* look(ada, "7")).status, 400)
    assert.strictEqual((yield* leave(ada, "7")).status, 400)
  })
})
