import { randomUUID } from "node:crypto"
import { serveListener, until } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { type Answer, admin } from "./harness/call.ts"
import { callAs, signedIn } from "./harness/callAs.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const developerOf = (clinic: Clinic) =>
  Effect.map(addStaff(clinic, { role: "DEVELOPER" }), (userId) => {
    const staff = signedIn(userId, clinic.organizationId, "DEVELOPER")
    return (method: string, path: string, body?: object) => callAs(staff, "cases", method, `/admin/v1${path}`, body)
  })

const titleOf = ({ json, status }: Answer) => [status, json.title]

testsOn(Suite.shared, "webhook endpoints, for developers who are signed in", (it) => {
  it("201, 200, 204: an endpoint is added, tested, changed, given a new secret and deleted", function* () {
    const clinic = yield* makeClinic
    const developer = yield* developerOf(clinic)
    const received: Array<{ readonly headers: Record<string, string>; readonly body: string }> = []
    const { url } = yield* serveListener((request, response) => {
      let body = ""
      request.on("data", (piece) => (body += piece))
      request.on("end", () => {
        const header = (name: string) => [name, String(request.headers[name])]
        const names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
        received.push({ headers: Object.fromEntries(names.map(header)), body })
        response.writeHead(204).end()
      })
    })
    const ofOrganization = `/organizations/${clinic.organizationId}/webhook-endpoints`
    const added = yield* developer("POST", ofOrganization, { url, eventTypes: ["case.created"] })
    assert.strictEqual(added.status, 201)
    assert.deepInclude(added.json, { url, eventTypes: ["case.created"], enabled: true, includeTestCases: false })
    const at = `/webhook-endpoints/${added.json.id}`

    const tested = yield* developer("POST", `${at}/test`)
    assert.strictEqual(tested.status, 200)
    yield* until(
      Effect.sync(() => received.length),
      (length) => length === 1
    )
    const [event] = received
    if (event === undefined) return assert.fail("no event")
    assert.deepInclude(new Webhook(added.json.secret).verify(event.body, event.headers), { type: "ping" })
    assert.strictEqual(event.headers["webhook-id"], tested.json.eventId)

    const changed = yield* developer("PATCH", at, { eventTypes: null, enabled: false })
    assert.deepInclude(changed.json, { id: added.json.id, eventTypes: null, enabled: false })
    assert.notInclude(JSON.stringify(changed.json), "whsec_")
    for (const [path, body] of [
      ["test", undefined],
      ["replay-missing", { since: "2026-01-01T00:00:00Z" }]
    ] as const) {
      assert.deepStrictEqual(titleOf(yield* developer("POST", `${at}/${path}`, body)), [
        409,
        "The webhook endpoint is disabled"
      ])
    }
    const rotated = yield* developer("POST", `${at}/rotate-secret`)
    assert.strictEqual(rotated.status, 200)
    assert.match(rotated.json.secret, /^whsec_/)
    assert.notStrictEqual(rotated.json.secret, added.json.secret)

    assert.strictEqual((yield* developer("DELETE", at)).status, 204)
    assert.deepStrictEqual(titleOf(yield* developer("DELETE", at)), [404, "Webhook endpoint not found"])
    assert.lengthOf((yield* developer("GET", ofOrganization)).json.data, 0)
  })

  it("204: what an endpoint missed is sent to it, also what happened before it was there", function* () {
    const clinic = yield* makeClinic
    const developer = yield* developerOf(clinic)
    const created = yield* createCase(clinic, caseBody(clinic))
    const caseId: string = created.json.data.caseId
    yield* until(admin("GET", `/cases/${caseId}/activity`), ({ json }) => json.data.length > 0)
    const ids: Array<string> = []
    const { url } = yield* serveListener((request, response) => {
      ids.push(String(request.headers["webhook-id"]))
      response.writeHead(204).end()
    })
    const { id } = yield* addEndpoint(clinic, { url })
    const replayed = yield* developer("POST", `/webhook-endpoints/${id}/replay-missing`, {
      since: new Date(Date.now() - 60_000).toISOString()
    })
    assert.strictEqual(replayed.status, 204)
    const { json } = yield* until(developer("GET", `/webhook-endpoints/${id}/deliveries`), ({ json }) =>
      json.data.some(({ status }: { status: string }) => status === "DELIVERED")
    )
    assert.include(
      json.data.map((delivery: { caseId: string }) => delivery.caseId),
      caseId
    )
    assert.isAbove(ids.length, 0)
  })

  it("400, 404, 409: what cannot be an endpoint is refused, and a foreign one is as an unknown one", function* () {
    const clinic = yield* makeClinic
    const developer = yield* developerOf(clinic)
    const ofOrganization = `/organizations/${clinic.organizationId}/webhook-endpoints`
    for (const body of [
      {},
      { url: "nowhere" },
      { url: "ftp://example.com" },
      { url: "https://a.example", eventTypes: [] }
    ]) {
      assert.strictEqual((yield* developer("POST", ofOrganization, body)).status, 400, JSON.stringify(body))
    }
    const url = "http://localhost:9/none"
    const { id } = yield* addEndpoint(clinic, { url })
    assert.strictEqual((yield* developer("PATCH", `/webhook-endpoints/${id}`, { url: "nowhere" })).status, 400)

    const foreign = yield* developerOf(yield* makeClinic)
    assert.strictEqual((yield* foreign("POST", ofOrganization, { url })).status, 404)
    for (const [method, path, body] of [
      ["PATCH", "", { enabled: false }],
      ["DELETE", "", undefined],
      ["POST", "/rotate-secret", undefined],
      ["POST", "/test", undefined],
      ["POST", "/replay-missing", { since: "2026-01-01T00:00:00Z" }]
    ] as const) {
      for (const endpointId of [id, randomUUID()]) {
        const answer = yield* foreign(method, `/webhook-endpoints/${endpointId}${path}`, body)
        assert.deepStrictEqual(titleOf(answer), [404, "Webhook endpoint not found"], `${method} ${path}`)
      }
    }

    const additions = yield* Effect.all(
      Array.from({ length: 20 }, () => developer("POST", ofOrganization, { url })),
      { concurrency: "unbounded" }
    )
    assert.include(additions.map(titleOf).map(String), "409,Too many webhook endpoints")
    const { json } = yield* developer("GET", `${ofOrganization}?limit=100`)
    const accepted = additions.filter(({ status }) => status === 201).length
    assert.strictEqual(json.data.length, accepted + 1)
  })
})
