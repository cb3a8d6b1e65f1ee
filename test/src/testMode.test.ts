import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin, call } from "./harness/call.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { asStaff, cookieOf, enrolPasskey, signInStaff } from "./harness/staff.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const inTest = { "care-mode": "test" }
const idsOf = ({ json }: Answer): ReadonlyArray<string> => json.data.map(({ id }: { readonly id: string }) => id)

testsOn(Suite.shared, "test mode", (it) => {
  let people = 0

  const signInAs = Effect.fnUntraced(function* (clinic: Clinic, role: string) {
    people += 1
    const email = `in.test.mode.${people}@clinic.example.com`
    const userId = yield* addStaff(clinic, { email, role })
    const { answer } = yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
    return { cookie: cookieOf(answer), userId }
  })

  const casesOf = (clinic: Clinic) => call("GET", "/api/v1/cases", { key: clinic.key })

  it("a case of a test key is in the sandbox alone, whose care team gets it", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    assert.match(sandbox.key, /^cv_test_/)
    const caseId: string = (yield* createCase(sandbox, caseBody(sandbox))).json.data.caseId
    yield* createCase(live, caseBody(live))
    const { json } = yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
    assert.match(json.assignedTo.email, /@sandbox\.example\.com$/)
    assert.strictEqual((yield* casesOf(sandbox)).json.data.length, 1)
    assert.notInclude(JSON.stringify((yield* casesOf(live)).json), caseId)
  })

  it("an organization without a test key has no sandbox, and its first one makes it", function* () {
    const live = yield* makeClinic
    const { cookie } = yield* signInAs(live, "ADMIN")
    const keys = `/organizations/${live.organizationId}/api-keys`
    const refused = yield* asStaff("GET", "/cases", cookie, { headers: inTest })
    assert.strictEqual(refused.status, 403)
    assert.include(refused.json.detail, "no sandbox yet")
    assert.isNull((yield* asStaff("GET", "/session", cookie)).json.sandboxId)
    const { json, status } = yield* asStaff("POST", keys, cookie, { body: { mode: "test" } })
    assert.deepStrictEqual([status, json.mode], [201, "test"])
    yield* until(asStaff("GET", "/cases", cookie, { headers: inTest }), (answer) => answer.status === 200)
    assert.strictEqual((yield* asStaff("GET", "/session", cookie)).json.sandboxId, json.organizationId)
    const modes = (yield* asStaff("GET", keys, cookie)).json.data.map(({ mode }: { readonly mode: string }) => mode)
    assert.deepStrictEqual(modes, ["live", "test"])
    const revoked = yield* asStaff("DELETE", `/api-keys/${json.id}`, cookie)
    assert.strictEqual(revoked.status, 204)
    const other = yield* makeSandbox(yield* makeClinic)
    assert.strictEqual((yield* asStaff("DELETE", `/api-keys/${other.keyId}`, cookie)).status, 404)
  })

  it("a member works cases of the sandbox under their own name, and sees none of the other mode", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    const { cookie, userId } = yield* signInAs(live, "SUPPORT")
    const testCase: string = (yield* createCase(sandbox, caseBody(sandbox))).json.data.caseId
    const liveCase: string = (yield* createCase(live, caseBody(live))).json.data.caseId
    assert.deepStrictEqual(idsOf(yield* asStaff("GET", "/cases", cookie, { headers: inTest })), [testCase])
    assert.deepStrictEqual(idsOf(yield* asStaff("GET", "/cases", cookie)), [liveCase])
    for (const [headers, id] of [
      [inTest, liveCase],
      [{}, testCase]
    ] as const) {
      assert.strictEqual((yield* asStaff("GET", `/cases/${id}`, cookie, { headers })).status, 404)
    }
    const body = { text: "How are you?", isRestricted: false }
    const comment = yield* asStaff("POST", `/cases/${testCase}/comments`, cookie, { body, headers: inTest })
    assert.strictEqual(comment.status, 201)
    assert.strictEqual(comment.json.author.id, userId)
    const records = yield* until(
      admin("GET", `/audit?organizationId=${sandbox.organizationId}&action=COMMENT_ADDED`),
      ({ json }) => json.data.length > 0
    )
    assert.deepStrictEqual(records.json.data[0].actor, { type: "USER", id: userId })
  })

  it("a sandbox has no live key, and is disabled with its organization", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    const at = `/organizations/${sandbox.organizationId}`
    const refused = yield* admin("POST", `${at}/api-keys`, { mode: "live" })
    assert.strictEqual(refused.status, 422)
    assert.include(refused.json.detail, live.organizationId)
    assert.deepInclude((yield* admin("GET", at)).json, { mode: "test", liveOrganizationId: live.organizationId })
    const alone = yield* admin("PATCH", at, { isDisabled: true })
    assert.deepStrictEqual([alone.status, JSON.stringify(alone.json).includes(live.organizationId)], [400, true])
    yield* admin("PATCH", `/organizations/${live.organizationId}`, { isDisabled: true })
    yield* until(casesOf(sandbox), ({ status }) => status === 401)
    yield* admin("PATCH", `/organizations/${live.organizationId}`, { isDisabled: false })
    yield* until(casesOf(sandbox), ({ status }) => status === 200)
  })

  it("the limits of a sandbox are its own", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    const leftFor = (clinic: Clinic) =>
      Effect.map(createCase(clinic, caseBody(clinic)), ({ headers }) =>
        Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1])
      )
    const before = yield* leftFor(live)
    assert.isAbove(before, 0)
    assert.strictEqual(yield* leftFor(sandbox), before)
    assert.strictEqual(yield* leftFor(live), before - 1)
  })
})
