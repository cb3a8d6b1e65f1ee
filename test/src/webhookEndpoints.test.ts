import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addEndpoint, endpoints, endpointUrl } from "./harness/endpoints.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

const refused = (status: number, error: string) => ({ status, success: false, message: "Invalid request", error })

testsOn(Suite.shared, "webhook endpoints", (it) => {
  const atOnce = <A, E, R>(count: number, make: (index: number) => Effect.Effect<A, E, R>) =>
    Effect.all(
      Array.from({ length: count }, (_, index) => make(index)),
      { concurrency: "unbounded" }
    )

  it("201: gets all events but those of test cases, with a secret that nothing else shows", function* () {
    const clinic = yield* makeClinic
    const created = yield* endpoints("POST", clinic, "", { body: { url: endpointUrl } })
    const { secret, ...endpoint } = created.json.data
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.strictEqual(Buffer.from(String(secret).slice(6), "base64").length, 32)
    assert.deepStrictEqual(
      [created.status, created.json.status, created.headers.get("cache-control"), endpoint],
      [
        201,
        201,
        "no-store",
        {
          id: endpoint.id,
          url: endpointUrl,
          eventTypes: null,
          enabled: true,
          includeTestCases: false,
          disabledReason: null,
          failingSince: null,
          createdAt: endpoint.createdAt,
          updatedAt: endpoint.createdAt
        }
      ]
    )
    const expected = [
      yield* endpoints("GET", clinic, `/${endpoint.id}`),
      yield* endpoints("PATCH", clinic, `/${endpoint.id}`, { body: {} })
    ]
    for (const { headers, json, status } of expected) {
      assert.deepStrictEqual([status, { ...json.data, updatedAt: endpoint.updatedAt }], [200, endpoint])
      assert.strictEqual(headers.get("cache-control"), "no-store")
    }
    const listed = yield* endpoints("GET", clinic)
    assert.deepStrictEqual([listed.json.data.length, listed.json.nextCursor], [1, null])
    for (const { json } of [...expected, listed]) assert.notInclude(JSON.stringify(json), "secret")
  })

  it("a change keeps absent fields; null means all types; enabling removes the reason of the disabling", function* () {
    const clinic = yield* makeClinic
    const changes = { eventTypes: ["case.closed"], enabled: false, includeTestCases: true }
    const { id } = yield* addEndpoint(clinic, changes)
    const change = (body: object) => Effect.map(endpoints("PATCH", clinic, `/${id}`, { body }), ({ json }) => json.data)
    const url = "https://other.example.com/events"
    assert.deepInclude(yield* change({ url }), { ...changes, url })
    yield* inDatabase(
      "cases",
      (sql) => sql`
          UPDATE cases.webhook_endpoints SET disabled_reason = 'GONE', failing_since = now()
          WHERE organization_id = ${clinic.organizationId}
        `
    )
    assert.deepInclude(yield* change({ eventTypes: null }), { eventTypes: null, disabledReason: "GONE" })
    const enabled = yield* change({ enabled: true })
    assert.deepInclude(enabled, { enabled: true, disabledReason: null, failingSince: null, includeTestCases: true })
    // No reason is shown for an endpoint that its owner disabled.
    assert.deepInclude(yield* change({ enabled: false }), { enabled: false, disabledReason: null })
  })

  it("400 for each field that is missing, of a wrong type, or not acceptable, at creation and at a change", function* () {
    const clinic = yield* makeClinic
    const { id } = yield* addEndpoint(clinic)
    const cases: ReadonlyArray<readonly [object, RegExp]> = [
      [{ url: 1 }, /^url, /],
      [{ url: "nonsense" }, /^url, must be a URL$/],
      [{ url: ` ${endpointUrl}` }, /^url, must not begin or end with white space, nor/],
      [{ url: `${endpointUrl}/a\tb` }, /^url, must not begin .* nor have control characters in it$/],
      [{ url: "https://shop.example.com:0" }, /^url, must not be at port 0$/],
      [{ url: "ftp://shop.example.com" }, /^url, must be an https URL$/],
      [{ url: "https://me:secret@shop.example.com" }, /^url, must not contain credentials$/],
      [{ url: "https://10.0.0.1/events" }, /^url, must not lead to a private address$/],
      [{ url: "https://[fd00::1]/events" }, /^url, must not lead to a private address$/],
      [{ url: `https://shop.example.com/${"x".repeat(2048)}` }, /^url, must be at most 2048 characters long$/],
      [{ eventTypes: "case.closed" }, /^eventTypes, /],
      [{ eventTypes: [] }, /^eventTypes, must name an event type/],
      [{ eventTypes: ["case.closed", "case.lost"] }, /^eventTypes\.1, must be one of case\.created, /],
      [{ eventTypes: Array.from({ length: 51 }, () => "case.closed") }, /^eventTypes, must be at most 50 /],
      [{ enabled: "yes" }, /^enabled, /],
      [{ includeTestCases: 1 }, /^includeTestCases, /]
    ]
    for (const [body, error] of cases) {
      const answers = [
        yield* endpoints("POST", clinic, "", { body: { url: endpointUrl, ...body } }),
        yield* endpoints("PATCH", clinic, `/${id}`, { body })
      ]
      for (const { json, status } of answers) {
        assert.deepStrictEqual([status, json], [400, refused(400, json.error)])
        assert.match(json.error, error)
      }
    }
    yield* expectAnswer(endpoints("POST", clinic, "", { body: {} }), 400, refused(400, "url, Required"))
    const page = yield* endpoints("GET", clinic, "?limit=101")
    assert.strictEqual(page.status, 400)
    assert.strictEqual((yield* endpoints("GET", clinic)).json.data.length, 1)
  })

  it("404: the same for unknown, invalid and foreign ids, and foreign endpoints do not change", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const { id } = yield* addEndpoint(other)
    const before = yield* endpoints("GET", other, `/${id}`)
    for (const [method, at, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { enabled: false }],
      ["DELETE", "", undefined],
      ["POST", "/rotate-secret", undefined],
      ["POST", "/test", undefined]
    ] as const) {
      for (const requestedId of [id, unknownId, "nonsense"]) {
        yield* expectAnswer(
          endpoints(method, clinic, `/${requestedId}${at}`, { body }),
          404,
          refused(404, "There is no such webhook endpoint")
        )
      }
    }
    assert.deepStrictEqual((yield* endpoints("GET", other, `/${id}`)).json, before.json)
  })

  it("30 creations at once: 20 endpoints, and room for one again when one is deleted", function* () {
    const clinic = yield* makeClinic
    const create = endpoints("POST", clinic, "", { body: { url: endpointUrl } })
    const answers = yield* atOnce(30, () => create)
    assert.strictEqual(answers.filter(({ status }) => status === 201).length, 20)
    const full = refused(400, "An organization has at most 20 webhook endpoints: delete one first")
    for (const { json, status } of answers) if (status !== 201) assert.deepStrictEqual(json, full)
    const first = yield* endpoints("GET", clinic, "?limit=15")
    const second = yield* endpoints("GET", clinic, `?limit=15&cursor=${first.json.nextCursor}`)
    const ids = [...first.json.data, ...second.json.data].map(({ id }) => id)
    assert.strictEqual(new Set(ids).size, 20)
    assert.isNull(second.json.nextCursor)
    const removed = yield* endpoints("DELETE", clinic, `/${ids[0]}`)
    assert.strictEqual(removed.status, 200)
    assert.strictEqual((yield* endpoints("DELETE", clinic, `/${ids[0]}`)).status, 404)
    assert.deepStrictEqual([(yield* create).status, (yield* create).status], [201, 400])
  })

  it("each POST has one effect and one answer for an Idempotency-Key; 409 with another body", function* () {
    const clinic = yield* makeClinic
    const headers = { "idempotency-key": "once" }
    const create = (url: string) => endpoints("POST", clinic, "", { headers, body: { url } })
    const created = yield* atOnce(10, () => create(endpointUrl))
    const { id, secret } = created[0]?.json.data ?? assert.fail()
    for (const { json, status } of created) assert.deepStrictEqual([status, json], [201, created[0]?.json])
    assert.strictEqual((yield* endpoints("GET", clinic)).json.data.length, 1)
    const other = yield* create("https://other.example.com")
    assert.deepStrictEqual([other.status, other.json.code], [409, "IDEMPOTENCY_ERROR"])

    const second = yield* addEndpoint(clinic)
    for (const operation of ["rotate-secret", "test"]) {
      const run = endpoints("POST", clinic, `/${id}/${operation}`, { headers })
      const answers = yield* atOnce(10, () => run)
      for (const { json, status } of answers) assert.deepStrictEqual([status, json], [200, answers[0]?.json])
      const conflict = yield* endpoints("POST", clinic, `/${second.id}/${operation}`, { headers })
      assert.deepStrictEqual([conflict.status, conflict.json.code], [409, "IDEMPOTENCY_ERROR"])
    }
    assert.notStrictEqual((yield* endpoints("POST", clinic, `/${id}/rotate-secret`)).json.data.secret, secret)
  })

  it("400 for a test event to a disabled endpoint", function* () {
    const clinic = yield* makeClinic
    const { id } = yield* addEndpoint(clinic, { enabled: false })
    const { json, status } = yield* endpoints("POST", clinic, `/${id}/test`)
    const error = "The webhook endpoint is disabled: enable it first"
    assert.deepStrictEqual([status, json], [400, refused(400, error)])
  })

  it("neither a URL nor a secret, former ones among them, is readable in the database or in any output", function* () {
    const clinic = yield* makeClinic
    const headers = { "idempotency-key": "sealed" }
    const token = "leuchtturm-token"
    const created = yield* endpoints("POST", clinic, "", {
      headers,
      body: { url: `https://shop.example.com/${token}`, eventTypes: ["case.closed"] }
    })
    const { id, secret } = created.json.data
    const rotated = yield* endpoints("POST", clinic, `/${id}/rotate-secret`, { headers })
    const hidden = [token, secret.slice(6), rotated.json.data.secret.slice(6)]
    const rowsWith = (text: string) =>
      inDatabase(
        "cases",
        (sql) => sql`
            SELECT 1 AS found FROM cases.webhook_endpoints t WHERE position(${text} IN t::text) > 0
            UNION ALL SELECT 1 FROM cases.idempotency_keys t WHERE position(${text} IN t::text) > 0
            UNION ALL SELECT 1 FROM cases.jobs t WHERE position(${text} IN t::text) > 0
          `
      )
    assert.isAbove((yield* rowsWith("case.closed")).length, 0)
    const output = (yield* Suite).output.join("\n")
    assert.include(output, "POST /api/v1/webhook-endpoints")
    for (const text of hidden) {
      assert.deepStrictEqual(yield* rowsWith(text), [])
      assert.notInclude(output, text)
    }
  })

  it("an organization's contact is given, changed and taken away", function* () {
    const name = "Contacted"
    const created = yield* admin("POST", "/organizations", { name, contactEmail: " Ops@Example.com " })
    assert.strictEqual(created.json.contactEmail, "ops@example.com")
    const path = `/organizations/${created.json.id}`
    const changed = yield* admin("PATCH", path, { contactEmail: "team@example.com" })
    assert.strictEqual(changed.json.contactEmail, "team@example.com")
    assert.strictEqual((yield* admin("PATCH", path, { contactEmail: null })).json.contactEmail, null)
    assert.strictEqual((yield* admin("GET", path)).json.contactEmail, null)
    const refusedContact = yield* admin("PATCH", path, { contactEmail: "nobody" })
    assert.strictEqual(refusedContact.status, 400)
  })
})
