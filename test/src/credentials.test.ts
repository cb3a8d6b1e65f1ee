import { Scope } from "@care/domain/auth"
import {
  encodeError,
  errorCodeHeader,
  errorCodeOf,
  KeyInvalid,
  KeyMissing,
  OperatorTokenRejected,
  ScopeMissing
} from "@care/domain/http"
import { neededScope } from "@care/domain/scopes"
import { keyHash, makeStaffToken } from "@care/service-kit"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Contract, contracts } from "../operations/contracts.ts"
import { admin, type CallOptions, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { signIn } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"

const id = "3b241101-e2bb-4255-8caf-4136c566a962"

/** Sends a request of an operation with the given credentials. */
const send = ({ action, method, path }: Contract, credentials: CallOptions) =>
  call(method, path.replaceAll(/:\w+/g, id), { ...credentials, ...(method !== "GET" && { body: { action } }) })

const askedBy = (...kinds: ReadonlyArray<string>) => contracts.filter(({ caller = "" }) => kinds.includes(caller))

testsOn(Suite.shared, "who may ask for an operation", (it) => {
  /** Checks that every operation of a kind of caller is refused as its contract says. */
  const allRefuse = (kind: string, credentials: CallOptions, error: unknown) =>
    Effect.forEach(
      askedBy(kind),
      Effect.fnUntraced(function* (operation) {
        const expected = encodeError(operation.endpoint, error)
        const { headers, json, status } = yield* send(operation, credentials)
        assert.deepStrictEqual(
          [operation.id, status, headers.get(errorCodeHeader), json],
          [operation.id, expected?.status, errorCodeOf(error), expected?.body]
        )
      }),
      { concurrency: 4, discard: true }
    )

  const invalid = (key: string, isDisabled = false) =>
    new KeyInvalid({ keyHash: keyHash(key).slice(0, 12), isDisabled })

  /** Makes a key that was never used, so that no gateway has cached it. */
  const newKey = Effect.fnUntraced(function* (organizationId: string, body: object = {}) {
    const { id, key } = (yield* admin("POST", `/organizations/${organizationId}/api-keys`, body)).json
    return { id: String(id), key: String(key) }
  })

  it("partner operations are refused without a key", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    const { accessToken } = yield* signIn(clinic.key, body.user.email)
    const missing = new KeyMissing({ isBlank: false })
    yield* allRefuse("partner", {}, missing)
    yield* allRefuse("partner", { headers: { authorization: `Bearer ${accessToken}` } }, missing)
    yield* allRefuse("partner", { isOperator: true }, missing)
    yield* allRefuse("partner", { key: " " }, new KeyMissing({ isBlank: true }))
  })

  it("partner operations are refused with an unknown, revoked or expired key, or one of a disabled organization", function* () {
    const { organizationId } = yield* makeClinic
    const unknown = "cv_unknown"
    yield* allRefuse("partner", { key: unknown }, invalid(unknown))
    const { secrets } = yield* Suite
    yield* allRefuse("partner", { key: secrets.ADMIN_TOKEN }, invalid(secrets.ADMIN_TOKEN))
    const revoked = yield* newKey(organizationId)
    assert.strictEqual((yield* admin("DELETE", `/api-keys/${revoked.id}`)).status, 204)
    yield* allRefuse("partner", { key: revoked.key }, invalid(revoked.key))
    const expired = yield* newKey(organizationId, { expiresAt: "2999-01-01T00:00:00Z" })
    yield* inDatabase("auth", (sql) => sql`UPDATE auth.api_keys SET expires_at = '2020-01-01' WHERE id = ${expired.id}`)
    yield* allRefuse("partner", { key: expired.key }, invalid(expired.key))
    const disabled = yield* newKey(organizationId)
    yield* admin("PATCH", `/organizations/${organizationId}`, { isDisabled: true })
    yield* allRefuse("partner", { key: disabled.key }, invalid(disabled.key, true))
  })

  it("partner operations are refused with a key that has all scopes but theirs", function* () {
    const { organizationId } = yield* makeClinic
    const operations = askedBy("partner")
    for (const scope of Scope.literals) {
      const mode = scope === "test" ? "test" : "live"
      const key = yield* newKey(organizationId, { mode, scopes: Scope.literals.filter((other) => other !== scope) })
      const alone = yield* newKey(organizationId, { mode, scopes: [scope] })
      for (const operation of operations.filter(({ group, endpoint }) => neededScope(group, endpoint) === scope)) {
        const refused = yield* send(operation, { key: key.key })
        const expected = encodeError(operation.endpoint, new ScopeMissing({ scope }))
        assert.deepStrictEqual([operation.id, refused.status, refused.json], [operation.id, 403, expected?.body])
        const { json } = yield* send(operation, { key: alone.key })
        assert.notInclude(JSON.stringify(json ?? null), "This key may not", operation.id)
      }
    }
  })

  it("a key answers its scopes, and is not issued with unknown ones or none", function* () {
    const { organizationId } = yield* makeClinic
    const path = `/organizations/${organizationId}/api-keys`
    const scopes = ["cases:read", "webhooks:write"]
    assert.deepStrictEqual((yield* admin("POST", path, { scopes })).json.scopes, scopes)
    const listed = (yield* admin("GET", path)).json.data.map((key: { readonly scopes: unknown }) => key.scopes)
    assert.deepStrictEqual(listed, [null, scopes])
    for (const wrong of [[], ["cases:delete"], "cases:read", Scope.literals.concat("cases:read")]) {
      assert.strictEqual((yield* admin("POST", path, { scopes: wrong })).status, 400, JSON.stringify(wrong))
    }
  })

  it("admin operations are refused without the operator's token", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    const { accessToken } = yield* signIn(clinic.key, body.user.email)
    const { secrets } = yield* Suite
    const token = secrets.ADMIN_TOKEN
    for (const authorization of [
      undefined,
      "",
      "Bearer",
      "Bearer wrong",
      token,
      `Basic ${token}`,
      `Bearer ${token.slice(1)}`,
      `Bearer ${token}x`,
      `Bearer ${clinic.key}`,
      `Bearer ${accessToken}`
    ]) {
      const headers = { ...(authorization !== undefined && { authorization }) }
      yield* allRefuse("operator", { key: clinic.key, headers }, new OperatorTokenRejected())
    }
  })

  it("signed operations are refused without a valid signature", function* () {
    const { key } = yield* makeClinic
    const signed = askedBy("link", "pharmacy", "stripe", "scheduling")
    assert.isAtLeast(signed.length, 4)
    for (const operation of signed) {
      for (const credentials of [{}, { key }, { isOperator: true }]) {
        const { status } = yield* send(operation, credentials)
        assert.include([400, 401, 403], status, operation.id)
      }
    }
    assert.strictEqual(askedBy("partner", "operator", "session").length + signed.length, contracts.length)
  })

  it("operations of a session are refused without one, and from pages of other sites", function* () {
    const { secrets, urls } = yield* Suite
    const ofSession = askedBy("session").filter(({ id }) => id.startsWith("staffSession."))
    assert.isAtLeast(ofSession.length, 10)
    for (const operation of ofSession) {
      for (const headers of [
        {},
        { authorization: `Bearer ${secrets.ADMIN_TOKEN}` },
        { authorization: `Bearer ${makeStaffToken("c1")}` },
        { cookie: `care_staff=${makeStaffToken("c1")}`, origin: urls.gateway }
      ]) {
        assert.strictEqual((yield* send(operation, { headers })).status, 401, operation.id)
      }
    }
    for (const operation of askedBy("session").filter(({ method }) => method !== "GET")) {
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" },
        { cookie: `care_staff=${makeStaffToken("c1")}` }
      ]) {
        const { status } = yield* send(operation, { headers })
        assert.include([400, 403], status, operation.id)
      }
    }
  })
})
