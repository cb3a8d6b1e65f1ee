import { once } from "node:events"
import { connection, exchange, makeStandingClock, rawRequest, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { ask, parse } from "./testing/requests.ts"
import { runGateway } from "./testing/runGateway.ts"
import { type Handle, keys } from "./testing/Upstream.ts"

const apiKey = 'ApiKey realm="care", header="cv-api-key"'
const bearer = 'Bearer realm="care"'
const invalidToken = `${bearer}, error="invalid_token"`

it.live("the root leads to the docs", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    for (const method of ["GET", "HEAD"]) {
      const { head, status } = parse(yield* exchange(url, rawRequest(method, "/")))
      assert.strictEqual(status, 302)
      assert.include(head.toLowerCase().split("\r\n"), "location: /docs")
    }
  })
)

it.live("every 401 names the credential: the key, or a bearer token, which is invalid if there was one", () =>
  Effect.gen(function* () {
    const refuse: Handle = (request, response) =>
      request.resume().on("end", () => response.writeHead(401, { "content-type": "application/json" }).end("{}"))
    const { url } = yield* runGateway({ handle: refuse })
    const token = { authorization: "Bearer wrong" }
    for (const [method, path, init, challenge] of [
      ["POST", "/api/v1/cases", {}, apiKey],
      ["POST", "/api/v1/cases", { key: "cv_wrong" }, apiKey],
      ["POST", "/api/v1/cases", { key: keys.one, body: "{}" }, apiKey],
      ["POST", "/api/v1/users", { body: '{"action":"UPDATE_EMAIL"}' }, apiKey],
      ["GET", "/api/v1/webhook-endpoints", { headers: token }, apiKey],
      ["GET", "/api/v1/users/me", { headers: token }, apiKey],
      ["GET", "/api/v1/users/me", { key: keys.one }, bearer],
      ["GET", "/api/v1/users/me", { key: keys.one, headers: token }, invalidToken],
      ["GET", "/admin/v1/organizations", {}, bearer],
      ["GET", "/admin/v1/organizations", { headers: token }, invalidToken],
      ["GET", "/admin/v1/jobs", {}, bearer],
      ["GET", "/admin/v1/jobs", { headers: token }, invalidToken],
      ["GET", "/admin/v1/session", {}, bearer],
      ["GET", "/metrics", {}, bearer]
    ] as const) {
      const { headers, status } = yield* ask(`${url}${path}`, { method, ...init })
      const expected = [method, path, 401, challenge]
      assert.deepStrictEqual([method, path, status, headers.get("www-authenticate")], expected)
    }
    const allowed = yield* ask(`${url}/admin/v1/jobs`, { headers: { authorization: "Bearer operator" } })
    assert.isNull(allowed.headers.get("www-authenticate"))
  })
)

it.live("HEAD has the status and headers of GET without the body, which is not read to its end", () =>
  Effect.gen(function* () {
    const length = 64 * 1024 * 1024
    let isCutOff = false
    const large: Handle = (request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": length, "x-total": "7" })
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      }
      response.on("drain", write).on("close", () => {
        isCutOff = !response.writableFinished
      })
      request.resume().on("end", write)
    }
    const { targets, url } = yield* runGateway({ handle: large })
    const path = "/api/v1/webhook-endpoints"
    const socket = yield* connection(url)
    socket.write(`HEAD ${path} HTTP/1.1\r\nhost: x\r\ncv-api-key: ${keys.one}\r\n\r\n`)
    const [chunk] = yield* Effect.promise(() => once(socket, "data"))
    const { head, status } = parse(String(chunk))
    assert.strictEqual(status, 200)
    const lines = head.toLowerCase().split("\r\n")
    assert.includeMembers(lines, ["content-type: application/json", `content-length: ${length}`, "x-total: 7"])
    yield* until(
      Effect.sync(() => isCutOff),
      (cutOff) => cutOff
    )
    assert.deepStrictEqual(targets, [`GET ${path}`])
  })
)

it.live(
  "an answer without a body has no type, length or coding of one, so that a cache keeps the type that it knows",
  () =>
    Effect.gen(function* () {
      for (const status of [204, 304]) {
        const without: Handle = (request, response) =>
          request.resume().on("end", () => response.writeHead(status, { etag: '"1"' }).end())
        const { url } = yield* runGateway({ handle: without })
        const answer = parse(yield* exchange(url, rawRequest("GET", "/api/v1/products", [`cv-api-key: ${keys.one}`])))
        assert.strictEqual(answer.status, status)
        assert.include(answer.head.toLowerCase(), 'etag: "1"')
        assert.notMatch(answer.head, /^(content-(type|length|encoding)|transfer-encoding):/im)
      }
    })
)

it.live("HEAD of a short answer has its length, counts under the limit of GET, and nothing else does", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ environment: { RATE_LIMIT_APPOINTMENTS_LIST: "3" } })
    const list = `${url}/api/v1/calendar/appointments`
    const got = yield* ask(list, { key: keys.one })
    const head = yield* ask(list, { method: "HEAD", key: keys.one })
    assert.deepStrictEqual([head.status, head.json], [got.status, undefined])
    for (const name of ["content-type", "content-length", "ratelimit-policy"]) {
      assert.strictEqual(head.headers.get(name), got.headers.get(name), name)
    }
    yield* ask(list, { method: "OPTIONS", key: keys.one })
    const rest = yield* ask(list, { method: "HEAD", key: keys.one })
    assert.deepStrictEqual(
      [got, head, rest].map(({ headers }) => headers.get("ratelimit")?.split(";")[1]),
      ["r=2", "r=1", "r=0"]
    )
    const refused = yield* ask(list, { method: "HEAD", key: keys.one })
    assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "60"])
  }).pipe(Effect.provideService(Clock.Clock, makeStandingClock()))
)
