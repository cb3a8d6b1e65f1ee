import { openIdClient, runOpenIdProvider } from "@care/auth/testing/runOpenIdProvider"
import { platformId } from "@care/domain/ids"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { runAudit } from "./harness/runAudit.ts"
import { Suite } from "./harness/Suite.ts"
import { asStaff, cookieOf, enrolPasskey, signInStaff, usePasskey } from "./harness/staff.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { whileInsertsFail } from "./harness/whileInsertsFail.ts"

interface Listed {
  readonly action: string
  readonly actor: { readonly type: string; readonly id: string | null }
  readonly userId: string | null
  readonly apiKeyId?: string
}

const byMachine = { type: "OPERATOR", id: null }

testsOn(Suite.shared, "the audit of who may read patients' data", (it) => {
  let people = 0

  const listed = (organizationId: string) =>
    Effect.map(
      admin("GET", `/audit?organizationId=${organizationId}&limit=100`),
      ({ json }): ReadonlyArray<Listed> =>
        json.data.map(({ action, actor, userId }: Listed) => ({ action, actor, userId })).toReversed()
    )

  const makeSignedIn = Effect.fnUntraced(function* (clinic: Clinic, role = "ADMIN") {
    people += 1
    const email = `access.${people}@clinic.example.com`
    const userId = yield* addStaff(clinic, { email, role })
    const { answer, authenticator } = yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
    return { authenticator, cookie: cookieOf(answer), userId }
  })

  it("names the person who signs in, and who adds, changes and removes members, second factors, keys and single sign-on", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const { authenticator, cookie: first, userId } = yield* makeSignedIn(clinic)
    const before = yield* listed(organizationId)
    assert.includeDeepMembers(
      [...before],
      [
        { action: "KEY_ISSUED", actor: byMachine, userId: null },
        { action: "MEMBER_ADDED", actor: byMachine, userId }
      ]
    )
    const person = { type: "USER", id: userId }
    assert.sameDeepMembers(before.slice(-2), [
      { action: "SECOND_FACTOR_ADDED", actor: person, userId },
      { action: "STAFF_SIGNED_IN", actor: person, userId }
    ])

    // A step-up is no sign-in, and neither is a code without a passkey, or a wrong one.
    let cookie = cookieOf(yield* usePasskey(authenticator, first))
    assert.strictEqual(
      (yield* asStaff("POST", "/session", undefined, { body: { email: "nobody@example.com", code: "123456" } })).status,
      401
    )
    const ofClinic = `/organizations/${organizationId}`
    const send = (method: string, path: string, body?: object) =>
      asStaff(method, path, cookie, body === undefined ? {} : { body })
    people += 1
    const email = `access.${people}@clinic.example.com`
    const added = yield* send("POST", `${ofClinic}/members`, { email, firstName: "A", lastName: "B", role: "SUPPORT" })
    const member: string = added.json.id
    yield* send("PATCH", `/users/${member}`, { isActive: false })
    yield* send("PATCH", `/users/${member}`, { isActive: true, role: "PROVIDER" })
    yield* send("POST", `/users/${member}/reset-sign-in`)
    yield* send("DELETE", `/users/${member}`)
    const key: string = (yield* send("POST", `${ofClinic}/api-keys`, {})).json.id
    yield* send("DELETE", `/api-keys/${key}`)
    const { urls } = yield* Suite
    const { issuer } = yield* runOpenIdProvider({ redirectUri: `${urls.gateway}/admin/v1/session/oidc/callback` })
    const setting = { ...openIdClient, issuer, domains: [`access${people}.example`] }
    assert.strictEqual((yield* send("PUT", `${ofClinic}/single-sign-on`, setting)).status, 200)
    assert.strictEqual((yield* send("DELETE", `${ofClinic}/single-sign-on`)).status, 204)
    assert.strictEqual((yield* send("POST", "/session/recovery-codes")).status, 201)
    yield* enrolPasskey(cookie)
    const [passkey] = (yield* send("GET", "/session/passkeys")).json.data
    assert.strictEqual((yield* send("DELETE", `/session/passkeys/${passkey.id}`)).status, 204)

    const records = (yield* listed(organizationId)).slice(before.length)
    const changes: ReadonlyArray<readonly [action: string, subject: string | null]> = [
      ["MEMBER_ADDED", member],
      ["MEMBER_CHANGED", member],
      ["MEMBER_CHANGED", member],
      ["SECOND_FACTOR_RESET", member],
      ["MEMBER_REMOVED", member],
      ["KEY_ISSUED", null],
      ["KEY_REVOKED", null],
      ["SINGLE_SIGN_ON_CHANGED", null],
      ["SINGLE_SIGN_ON_CHANGED", null],
      ["SECOND_FACTOR_ADDED", userId],
      ["SECOND_FACTOR_ADDED", userId],
      ["SECOND_FACTOR_REMOVED", userId]
    ]
    assert.deepStrictEqual(
      records,
      changes.map(([action, subject]) => ({ action, actor: person, userId: subject }))
    )
    cookie = first
    assert.strictEqual((yield* send("GET", "/session")).status, 401)
  })

  it("names the API key that is issued, changed, rotated and revoked, of the sandbox, too, and has no key", function* () {
    const clinic = yield* makeClinic
    for (const owner of [clinic, yield* makeSandbox(clinic)]) {
      const { key, keyId, organizationId } = owner
      yield* admin("PATCH", `/api-keys/${keyId}`, { label: "Shop" })
      const rotated = (yield* admin("POST", `/api-keys/${keyId}/rotate`, {})).json
      yield* admin("DELETE", `/api-keys/${rotated.id}`)
      const expected = [
        ["KEY_ISSUED", keyId],
        ["KEY_CHANGED", keyId],
        ["KEY_CHANGED", keyId],
        ["KEY_ISSUED", rotated.id],
        ["KEY_REVOKED", rotated.id]
      ]
      const { json } = yield* admin("GET", `/audit?organizationId=${organizationId}&limit=100`)
      const own = yield* call("GET", "/api/v1/audit-records?limit=100", { key })
      for (const records of [json.data, own.json.data]) {
        const ofKeys = records.filter(({ action }: Listed) => action.startsWith("KEY_")).toReversed()
        assert.sameDeepMembers(
          ofKeys.map(({ action, apiKeyId }: Listed) => [action, apiKeyId]),
          expected
        )
        assert.isTrue(ofKeys.every(({ userId }: Listed) => userId === null))
      }
      const text = JSON.stringify([json, own.json])
      for (const secret of [key, rotated.key]) assert.notInclude(text, secret)
    }
    const { organizationId } = clinic
    const linked = inDatabase(
      "auth",
      (sql) => sql`SELECT FROM auth.audit_entries WHERE organization_id = ${organizationId} AND action LIKE 'KEY_%'`
    )
    yield* until(linked, ({ length }) => length === 5)
    assert.isTrue((yield* runAudit("verify", "--organization", organizationId)).isGood)
  })

  it("is read by the organization itself, of one member, too, and by no other", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const { userId } = yield* makeSignedIn(clinic)
    const read = ({ key }: Clinic) =>
      Effect.map(call("GET", `/api/v1/audit-records?userId=${userId}`, { key }), ({ json }) =>
        json.data.map(({ action, kinds }: { action: string; kinds: ReadonlyArray<string> }) => [action, kinds])
      )
    assert.sameDeepMembers(yield* read(clinic), [
      ["STAFF_SIGNED_IN", []],
      ["SECOND_FACTOR_ADDED", []],
      ["MEMBER_ADDED", []]
    ])
    assert.deepStrictEqual(yield* read(other), [])
  })

  it("finds what a person did, in all services, for the administrator and the organization, and nothing of others", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const { cookie: administrator } = yield* makeSignedIn(clinic)
    const { cookie, userId } = yield* makeSignedIn(clinic, "SUPPORT")
    assert.strictEqual((yield* asStaff("GET", `/cases/${caseId}`, cookie)).status, 200)
    const actionsOf = (read: Effect.Effect<Answer, never, Suite>) =>
      Effect.map(read, ({ json }) => json.data.map(({ action }: Listed) => action).toSorted())
    const expected = ["CASE_READ", "SECOND_FACTOR_ADDED", "STAFF_SIGNED_IN"]
    const own = actionsOf(asStaff("GET", `/audit?actorId=${userId}`, administrator))
    assert.deepStrictEqual(yield* until(own, (found) => found.length >= 3), expected)
    const records = (key: string, query = "") => call("GET", `/api/v1/audit-records?actorId=${userId}${query}`, { key })
    assert.deepStrictEqual(yield* actionsOf(records(clinic.key)), expected)
    assert.deepStrictEqual(yield* actionsOf(records(clinic.key, `&caseId=${caseId}`)), ["CASE_READ"])
    assert.deepStrictEqual(yield* actionsOf(records(other.key)), [])
    assert.deepStrictEqual(
      (yield* call("GET", `/api/v1/audit-records?actorId=${caseId}`, { key: clinic.key })).json.data,
      []
    )
    const { out } = yield* runAudit("list", "--organization", clinic.organizationId, "--actor", userId)
    for (const action of expected) assert.include(out, action)
    assert.notInclude(out, "KEY_ISSUED")
  })

  it("has operators in the chain of the platform", function* () {
    const email = `access.operator.${platformId}@example.com`
    const invited = yield* admin("POST", "/operators", { email, firstName: "Ada", lastName: "Byron" })
    const userId: string = invited.json.id
    yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
    const records = (yield* listed(platformId)).filter((record) => record.userId === userId)
    const person = { type: "USER", id: userId }
    assert.sameDeepMembers(
      [...records],
      [
        { action: "MEMBER_ADDED", actor: byMachine, userId },
        { action: "SECOND_FACTOR_ADDED", actor: person, userId },
        { action: "STAFF_SIGNED_IN", actor: person, userId }
      ]
    )
  })

  it("is written with the change, or the change is not made", function* () {
    const clinic = yield* makeClinic
    const { authenticator, userId } = yield* makeSignedIn(clinic)
    const stored = inDatabase(
      "auth",
      (sql) => sql`
        SELECT (SELECT count(*)::int FROM auth.api_keys WHERE organization_id = ${clinic.organizationId}) AS keys,
               (SELECT count(*)::int FROM auth.staff_sessions WHERE organization_id = ${clinic.organizationId}) AS sessions,
               (SELECT role FROM auth.users WHERE id = ${userId}) AS role
      `
    )
    const before = yield* stored
    for (const [action, change] of [
      ["KEY_ISSUED", admin("POST", `/organizations/${clinic.organizationId}/api-keys`, {})],
      ["MEMBER_CHANGED", admin("PATCH", `/users/${userId}`, { role: "SUPPORT" })],
      ["STAFF_SIGNED_IN", usePasskey(authenticator)]
    ] as const) {
      const { status } = yield* whileInsertsFail(
        "auth",
        "audit_waiting",
        `NEW.action = '${action}' AND NEW.organization_id = '${clinic.organizationId}'`,
        change
      )
      assert.isAtLeast(status, 500, action)
    }
    assert.deepStrictEqual(yield* stored, before)
  })
})
