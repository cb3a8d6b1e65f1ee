import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { signIn } from "./harness/signIn.ts"
import { asStaff, cookieOf, enrolPasskey, signInStaff, usePasskey } from "./harness/staff.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const codeOf = ({ json, status }: Answer) => [status, json?.code]

let people = 0

const signInAs = Effect.fnUntraced(function* (clinic: Clinic, role: string) {
  people += 1
  const email = `at.work.${people}@clinic.example.com`
  const userId = yield* addStaff(clinic, { email, role, npi: "1234567893" })
  const pending = cookieOf(yield* signInStaff(email))
  const { answer, authenticator } = yield* enrolPasskey(pending)
  return { authenticator, cookie: cookieOf(answer), pending, userId }
})

testsOn(Suite.shared, "staff at work, through the gateway", (it) => {
  it("a provider signs in with a code and a passkey, and works a case under their name", function* () {
    const clinic = yield* makeClinic
    const { cookie, pending, userId } = yield* signInAs(clinic, "PROVIDER")
    assert.deepStrictEqual(codeOf(yield* asStaff("GET", "/cases", pending)), [401, "SIGN_IN"])
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const mine = yield* until(
      asStaff("GET", `/cases?assignedTo=${userId}`, cookie),
      ({ json }) => json.data.length === 1
    )
    assert.strictEqual(mine.json.data[0].id, caseId)
    assert.strictEqual((yield* asStaff("POST", `/cases/${caseId}/start`, cookie)).status, 200)
    const body = { text: "How are you?", isRestricted: false }
    assert.strictEqual((yield* asStaff("POST", `/cases/${caseId}/comments`, cookie, { body })).json.author.id, userId)
    const activity = (yield* admin("GET", `/cases/${caseId}/activity`)).json.data
    assert.deepStrictEqual(
      activity.slice(-2).map(({ actor, type }: { actor: object; type: string }) => [type, actor]),
      [
        ["CASE_STARTED", { type: "USER", id: userId }],
        ["COMMENT_ADDED", { type: "USER", id: userId }]
      ]
    )
    const refused = yield* asStaff("GET", "/organizations", cookie)
    assert.deepStrictEqual(codeOf(refused), [403, "ROLE_REFUSED"])
    assert.strictEqual(refused.json.detail, "Your role is PROVIDER. This needs OPERATOR.")
  })

  it("a session that has had the code alone does nothing else", function* () {
    const clinic = yield* makeClinic
    const email = `pending.${clinic.organizationId}@clinic.example.com`
    yield* addStaff(clinic, { email, role: "ADMIN" })
    const cookie = cookieOf(yield* signInStaff(email))
    assert.deepStrictEqual(codeOf(yield* asStaff("GET", "/cases", cookie)), [403, "SECOND_FACTOR_NEEDED"])
    assert.strictEqual((yield* asStaff("GET", "/session", cookie)).status, 200)
  })

  it("a page of another site changes nothing with the cookie of a person", function* () {
    const clinic = yield* makeClinic
    const { cookie } = yield* signInAs(clinic, "ADMIN")
    const path = `/organizations/${clinic.organizationId}/products`
    const body = { name: "Forged" }
    for (const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "null", "sec-fetch-site": "none" },
      { "sec-fetch-site": "same-site" }
    ]) {
      assert.deepStrictEqual(codeOf(yield* asStaff("POST", path, cookie, { body, headers })), [403, "CROSS_SITE"])
    }
    assert.deepStrictEqual(
      yield* inDatabase(
        "cases",
        (sql) => sql`SELECT id FROM cases.products WHERE organization_id = ${clinic.organizationId} AND name = 'Forged'`
      ),
      []
    )
    assert.strictEqual((yield* asStaff("POST", path, cookie, { body })).status, 201)
  })

  it("a patient's token is none of staff, and a session of staff is no API key", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    const { accessToken } = yield* signIn(clinic.key, body.user.email)
    const { urls } = yield* Suite
    for (const headers of [
      { authorization: `Bearer ${accessToken}` },
      { cookie: `care_staff=${accessToken}`, origin: urls.gateway },
      { cookie: `care_staff=${clinic.key}`, origin: urls.gateway }
    ]) {
      assert.strictEqual((yield* call("GET", "/admin/v1/cases", { headers })).status, 401)
    }
    const { cookie } = yield* signInAs(clinic, "ADMIN")
    const token = cookie.split("=")[1] ?? ""
    assert.strictEqual(
      (yield* call("GET", "/admin/v1/payments", { headers: { authorization: `Bearer ${token}` } })).status,
      200
    )
    const asKey = yield* call("POST", "/api/v1/cases", { key: token, body })
    assert.deepStrictEqual([asKey.status, asKey.json.message], [401, "Unauthorized"])
    const twice = { cookie: `${cookie}; ${cookie}` }
    assert.deepStrictEqual(codeOf(yield* call("GET", "/admin/v1/payments", { headers: twice })), [401, "SIGN_IN"])
  })

  it("another organization's things are unknown through the gateway as well", function* () {
    const [own, other] = [yield* makeClinic, yield* makeClinic]
    const caseId: string = (yield* createCase(other, caseBody(other))).json.data.caseId
    const { cookie } = yield* signInAs(own, "ADMIN")
    const { cookie: provider, userId } = yield* signInAs(own, "PROVIDER")
    for (const path of [`/organizations/${other.organizationId}`, `/organizations/${userId}`]) {
      assert.deepStrictEqual((yield* asStaff("GET", path, cookie)).json.title, "Organization not found")
    }
    assert.strictEqual((yield* asStaff("GET", `/organizations/${own.organizationId}`, cookie)).status, 200)
    assert.strictEqual((yield* asStaff("GET", `/cases/${caseId}`, provider)).status, 404)
    assert.strictEqual((yield* asStaff("GET", `/audit?organizationId=${other.organizationId}`, cookie)).status, 403)
    assert.strictEqual((yield* asStaff("GET", `/audit/links/cases/${other.organizationId}`, cookie)).status, 403)
    const records = (yield* asStaff("GET", `/audit?caseId=${caseId}`, cookie)).json.data
    assert.deepStrictEqual(records, [])
    const heads = (yield* asStaff("GET", "/audit/heads/cases", cookie)).json.data
    for (const { organizationId } of heads) assert.strictEqual(organizationId, own.organizationId)
    const { id } = (yield* admin("POST", `/organizations/${other.organizationId}/api-keys`, {})).json
    assert.strictEqual((yield* asStaff("DELETE", `/api-keys/${id}`, cookie)).status, 404)
  })

  it("a key is issued only shortly after a passkey was used", function* () {
    const clinic = yield* makeClinic
    const { authenticator, cookie } = yield* signInAs(clinic, "ADMIN")
    const path = `/organizations/${clinic.organizationId}/api-keys`
    yield* inDatabase(
      "auth",
      (sql) => sql`
        UPDATE auth.staff_sessions SET stepped_up_at = now() - interval '6 minutes'
        WHERE organization_id = ${clinic.organizationId}
      `
    )
    assert.deepStrictEqual(codeOf(yield* asStaff("POST", path, cookie, { body: {} })), [403, "STEP_UP_NEEDED"])
    const steppedUp = cookieOf(yield* usePasskey(authenticator, cookie))
    assert.strictEqual((yield* asStaff("POST", path, steppedUp, { body: {} })).status, 201)
  })

  it("an operator sees all organizations, and invites and resets as no administrator does", function* () {
    const [one, two] = [yield* makeClinic, yield* makeClinic]
    people += 1
    const email = `operator.at.work.${people}@example.com`
    yield* admin("POST", "/operators", { email, firstName: "Ada", lastName: "Byron" })
    const { answer } = yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
    const operator = cookieOf(answer)
    for (const { organizationId } of [one, two]) {
      assert.strictEqual((yield* asStaff("GET", `/organizations/${organizationId}`, operator)).status, 200)
    }
    assert.strictEqual((yield* asStaff("GET", "/operators", operator)).status, 200)
    const { cookie, userId } = yield* signInAs(one, "ADMIN")
    const member = yield* addStaff(one, { role: "SUPPORT" })
    const foreign = yield* addStaff(two, { role: "SUPPORT" })
    assert.deepStrictEqual(codeOf(yield* asStaff("GET", "/operators", cookie)), [403, "ROLE_REFUSED"])
    assert.strictEqual((yield* asStaff("POST", `/users/${member}/reset-sign-in`, cookie)).status, 204)
    assert.strictEqual((yield* asStaff("POST", `/users/${foreign}/reset-sign-in`, cookie)).status, 404)
    assert.strictEqual((yield* asStaff("POST", `/users/${userId}/reset-sign-in`, operator)).status, 204)
  })

  it("an operator invites and deactivates another one with a passkey shortly before, which nothing else does", function* () {
    people += 1
    const email = `operator.at.work.${people}@example.com`
    yield* admin("POST", "/operators", { email, firstName: "Ada", lastName: "Byron" })
    const { answer, authenticator } = yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
    const cookie = cookieOf(answer)
    const other = { email: `other.${email}`, firstName: "Olga", lastName: "Petrova" }
    const invited = yield* asStaff("POST", "/operators", cookie, { body: other })
    assert.strictEqual(invited.status, 201)
    assert.strictEqual((yield* asStaff("POST", "/operators", cookie, { body: other })).status, 409)
    const { answer: ofOther } = yield* enrolPasskey(cookieOf(yield* signInStaff(other.email)))
    const path = `/operators/${invited.json.id}`
    yield* inDatabase(
      "auth",
      (sql) => sql`
        UPDATE auth.staff_sessions SET stepped_up_at = now() - interval '6 minutes'
        WHERE id = ${answer.json.session.sessionId}
      `
    )
    const isLate = ({ json }: Answer) => json?.code === "STEP_UP_NEEDED"
    yield* until(asStaff("POST", "/operators", cookie, { body: other }), isLate)
    assert.deepStrictEqual(codeOf(yield* asStaff("DELETE", path, cookie)), [403, "STEP_UP_NEEDED"])
    const steppedUp = cookieOf(yield* usePasskey(authenticator, cookie))
    assert.strictEqual((yield* asStaff("DELETE", `/users/${invited.json.id}`, steppedUp)).status, 404)
    const whoAmI = asStaff("GET", "/session", cookieOf(ofOther))
    assert.strictEqual((yield* whoAmI).status, 200)
    assert.strictEqual((yield* asStaff("DELETE", path, steppedUp)).status, 204)
    assert.strictEqual((yield* whoAmI).status, 401)
    assert.strictEqual((yield* asStaff("DELETE", path, steppedUp)).status, 404)
    const { userId } = yield* signInAs(yield* makeClinic, "ADMIN")
    assert.strictEqual((yield* asStaff("DELETE", `/operators/${userId}`, steppedUp)).status, 404)
  })
})

// A suite of its own, because its clock is moved.
testsOn(Suite.layer, "a member of the staff who is changed in mid-work", (it) => {
  it("another role counts within 5 seconds, and who is removed does nothing any more", function* () {
    const clinic = yield* makeClinic
    const { advance } = yield* SuiteTime
    const { cookie, userId } = yield* signInAs(clinic, "ADMIN")
    const list = asStaff("GET", "/payments", cookie)
    assert.strictEqual((yield* list).status, 200)
    yield* inDatabase("auth", (sql) => sql`UPDATE auth.users SET role = 'SUPPORT' WHERE id = ${userId}`)
    yield* advance("5 seconds")
    assert.deepStrictEqual(codeOf(yield* list), [403, "ROLE_REFUSED"])
    const cases = asStaff("GET", "/cases", cookie)
    assert.strictEqual((yield* cases).status, 200)
    yield* admin("DELETE", `/users/${userId}`)
    yield* advance("5 seconds")
    assert.deepStrictEqual(codeOf(yield* cases), [401, "SIGN_IN"])
  })
})
