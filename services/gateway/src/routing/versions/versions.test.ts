import { once } from "node:events"
import { buffer, text } from "node:stream/consumers"
import { endpoints } from "@care/domain/endpoints"
import { Action } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { ask } from "../../testing/requests.ts"
import { runGateway } from "../../testing/runGateway.ts"
import { type Handle, keys, resolveKnownKey } from "../../testing/Upstream.ts"

const older = "2026-06-01"
const current = "2026-11-01"
const refused = { success: false, message: "Invalid request", error: "body, must be a JSON object" }

const answering =
  (status: number, body: unknown): Handle =>
  async (request, response) => {
    await buffer(request)
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }

// Answers with the body that came.
const echo: Handle = async (request, response) => {
  const body = await buffer(request)
  response.writeHead(200, { "content-type": "text/plain" }).end(JSON.stringify(body.toString("utf8")))
}

// Auth that knows the version of the organization.
const withVersion =
  (apiVersion: string): Handle =>
  async (request, response) => {
    await text(request)
    const organizationId = "3b241101-e2bb-4255-8caf-4136c566a962"
    const apiKeyId = "1b241101-e2bb-4255-8caf-4136c566a962"
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ organizationId, apiKeyId, apiVersion }))
  }

const createIn = (url: string, version: string | undefined, body = "{}", key = keys.one as string) =>
  ask(`${url}/api/v1/cases`, {
    key,
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...(version !== undefined && { "care-version": version }) }
  })

it.live("the version of a request is the one that it names, else its organization's, else the current one", () =>
  Effect.gen(function* () {
    const handle = answering(400, refused)
    for (const [resolveKey, named, applied] of [
      [resolveKnownKey, undefined, current],
      [resolveKnownKey, older, older],
      [withVersion(older), undefined, older],
      [withVersion(older), current, current],
      // Of a newer auth.
      [withVersion("2031-01-01"), undefined, current]
    ] as const) {
      const { url } = yield* runGateway({ handle, resolveKey })
      const { headers, json } = yield* createIn(url, named)
      assert.strictEqual(headers.get("care-version"), applied)
      const { message: _, ...withoutMessage } = refused
      assert.deepStrictEqual(json, applied === older ? withoutMessage : refused)
    }
  })
)

it.live("an answer in a deprecated version says since when, until when, and where to read more", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ handle: answering(200, {}) })
    const headersIn = (version: string) =>
      Effect.map(createIn(url, version), ({ headers }) => [
        headers.get("deprecation"),
        headers.get("sunset"),
        headers.get("link")
      ])
    assert.deepStrictEqual(yield* headersIn(older), [
      "@1793491200",
      "Mon, 01 Nov 2027 00:00:00 GMT",
      '</docs/changelog>; rel="deprecation"; type="text/html"'
    ])
    assert.deepStrictEqual(yield* headersIn(current), [null, null, null])
  })
)

it.live("a body is changed only in the version and the operation that differ", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ handle: echo })
    const born = (name: string) => `{ "user": {"${name}":"1990-01-01", "firstName":"Ü"}, "big": 12345678901234567890 }`
    const sent = born("dateOfBirth")
    assert.deepStrictEqual(JSON.parse((yield* createIn(url, older, sent)).json), JSON.parse(born("dob")))
    assert.strictEqual((yield* createIn(url, current, sent)).json, sent)
    for (const body of ["", "{", "[]", '"text"', `${"[".repeat(40)}${"]".repeat(40)}`, "null"]) {
      assert.strictEqual((yield* createIn(url, older, body)).json, body)
    }
    const elsewhere = yield* ask(`${url}/api/v1/dynamic-case`, {
      key: keys.one,
      method: "POST",
      body: sent,
      headers: { "care-version": older }
    })
    assert.strictEqual(elsewhere.json, sent)
  })
)

it.live("a long answer and one that is no object are answered in the older version, too", () =>
  Effect.gen(function* () {
    const long = { ...refused, error: "x".repeat(100_000) }
    const { url } = yield* runGateway({ handle: answering(400, long) })
    assert.deepStrictEqual((yield* createIn(url, older)).json, { success: false, error: long.error })
    assert.deepStrictEqual((yield* createIn(url, current)).json, long)
    const list = yield* runGateway({ handle: answering(400, [1]) })
    assert.deepStrictEqual((yield* createIn(list.url, older)).json, [1])
    const empty: Handle = (request, response) => {
      void once(request.resume(), "end").then(() => response.writeHead(400).end())
    }
    const without = yield* runGateway({ handle: empty })
    const answer = yield* createIn(without.url, older)
    assert.deepStrictEqual([answer.status, answer.json], [400, undefined])
  })
)

it.live("the gateway's own refusals name a version, and are in it", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    for (const [version, applied] of [
      [older, older],
      [undefined, current],
      ["yesterday", current]
    ] as const) {
      const unknown = yield* createIn(url, version, "{}", "cv_wrong")
      assert.deepStrictEqual([unknown.status, unknown.headers.get("care-version")], [401, applied])
    }
    const shared = yield* ask(`${url}/api/v1/users`, {
      key: keys.one,
      method: "POST",
      body: '{"action":"DANCE"}',
      headers: { "care-version": older }
    })
    assert.deepStrictEqual([shared.status, shared.headers.get("care-version")], [400, older])
    const ofOlder = yield* runGateway({ resolveKey: withVersion(older) })
    for (const [path, init] of [
      ["/api/v1/users", { method: "POST", body: '{"action":"DANCE"}' }],
      ["/api/v1/audit-records?limit=x", {}]
    ] as const) {
      const { headers, status } = yield* ask(`${ofOlder.url}${path}`, { key: keys.one, ...init })
      assert.deepStrictEqual([path, status, headers.get("care-version")], [path, 400, older])
    }
    const operator = yield* ask(`${url}/admin/v1/organizations`, {
      headers: { authorization: "Bearer operator", "care-version": "yesterday" }
    })
    assert.deepStrictEqual([operator.status, operator.headers.get("care-version")], [200, null])
  })
)

it.live("400: an unknown version, in the form of every operation of partners, and nothing is forwarded", () =>
  Effect.gen(function* () {
    const { targets, url } = yield* runGateway()
    const id = "3b241101-e2bb-4255-8caf-4136c566a962"
    const ofPartners = endpoints.filter(({ caller }) => caller === "partner")
    assert.isAbove(ofPartners.length, 20)
    const unnamed: Array<string> = []
    for (const { annotations, endpoint } of ofPartners) {
      const action = Context.get(annotations, Action)
      const path = action === undefined ? endpoint.path : endpoint.path.slice(0, -action.length - 1)
      const answer = yield* ask(`${url}${path.replaceAll(/:\w+/g, id)}`, {
        key: keys.one,
        method: endpoint.method,
        headers: { "care-version": "2026-06-02" },
        ...(endpoint.method !== "GET" && { body: JSON.stringify({ action }) })
      })
      const name = `${endpoint.method} ${endpoint.path}`
      assert.strictEqual(answer.status, 400, name)
      if (!JSON.stringify(answer.json).includes("care-version, must be one of 2026-06-01, 2026-11-01"))
        unnamed.push(name)
      assert.strictEqual(answer.json.success, false, name)
      assert.strictEqual(answer.headers.get("care-version"), current, name)
    }
    // The specification gives them one text for all mistakes.
    assert.deepStrictEqual(unnamed, [
      "POST /api/v1/users/auth/send-otp",
      "POST /api/v1/users/auth/verify-otp",
      "POST /api/v1/users/auth/refresh-token",
      "POST /api/v1/users/auth/logout",
      "POST /api/v1/dynamic-case",
      "POST /api/v1/customer-dynamic-case-form",
      "GET /api/v1/promo-codes"
    ])
    assert.isEmpty(targets)
  })
)
