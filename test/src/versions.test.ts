import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { type Clinic, caseBody, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const older = "2026-06-01"
const current = "2026-11-01"

interface Body {
  readonly message?: string
  readonly data?: { readonly caseId: string }
}

// The public document describes the current version alone.
const createIn = Effect.fnUntraced(function* (
  { key }: Clinic,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
) {
  const { urls } = yield* Suite
  return yield* Effect.promise(async () => {
    const response = await fetch(`${urls.gateway}/api/v1/cases`, {
      method: "POST",
      headers: { "cv-api-key": key, "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    const json: Body = JSON.parse(await response.text())
    return { status: response.status, version: response.headers.get("care-version"), json }
  })
})

testsOn(Suite.shared, "versions of the partner API", (it) => {
  it("an organization has the current version from its first key, and another one when it is changed", function* () {
    const clinic = yield* makeClinic
    const organization = `/organizations/${clinic.organizationId}`
    assert.strictEqual((yield* admin("GET", organization)).json.apiVersion, current)
    const { json } = yield* createIn(clinic, {})
    assert.strictEqual(json.message, "Invalid request")
    assert.strictEqual((yield* admin("PATCH", organization, { apiVersion: older })).json.apiVersion, older)
    assert.strictEqual((yield* admin("GET", organization)).json.apiVersion, older)
    const changed = yield* until(createIn(clinic, {}), ({ version }) => version === older)
    assert.notProperty(changed.json, "message")
    assert.strictEqual((yield* createIn(clinic, {}, { "care-version": current })).json.message, "Invalid request")
  })

  it("400: a version that is not known, in a change of an organization", function* () {
    const clinic = yield* makeClinic
    const answer = yield* admin("PATCH", `/organizations/${clinic.organizationId}`, { apiVersion: "2026-06-02" })
    assert.strictEqual(answer.status, 400)
  })

  it("a case is created in the older version, and a repeat in the other one with its key gets the same case", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const {
      user: { dob, ...user },
      ...others
    } = body
    const olderBody = { ...others, user: { ...user, dateOfBirth: dob } }
    const inOlder = { "idempotency-key": "k", "care-version": older }
    const first = yield* createIn(clinic, olderBody, inOlder)
    assert.strictEqual(first.status, 200, JSON.stringify(first.json))
    const again = yield* createIn(clinic, body, { "idempotency-key": "k", "care-version": current })
    assert.deepStrictEqual(again.json, first.json)
    assert.deepStrictEqual((yield* createIn(clinic, olderBody, inOlder)).json, first.json)
    const detail = yield* call("GET", `/api/v1/customer-case-detail?caseId=${first.json.data?.caseId}`, {
      key: clinic.key
    })
    assert.strictEqual(detail.status, 200)
  })
})
