import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { connection, errorsMade, exchange, freePort, rawRequest, serveListener, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Answer, ask, begin, firstRefused, head, parse, whileTimePasses } from "./testing/requests.ts"
import { runGateway } from "./testing/runGateway.ts"
import { answerLength, type Handle, keys, resolveKnownKey } from "./testing/Upstream.ts"

const post = (url: string, options: { readonly key?: string; readonly body?: string | Buffer } = {}) =>
  ask(url, { method: "POST", body: "{}", ...options })

it.live("the gateway creates no Effect error for an accepted request, and does for a refused one", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    const read = ask(`${url}/api/v1/customer-case-detail?caseId=x`, { key: keys.one })
    const create = post(`${url}/api/v1/cases`, { key: keys.one })
    assert.deepStrictEqual([(yield* read).status, (yield* create).status], [200, 200])
    assert.isAbove(yield* errorsMade(ask(`${url}/api/v1/customer-case-detail?caseId=x`)), 0)
    assert.strictEqual(yield* errorsMade(Effect.all([read, create, read, create])), 0)
  })
)

it.live("503 in the form of the endpoint when auth answers the look-up of a key with a failure of its own", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ resolveKey: (_, response) => response.writeHead(500).end() })
    const refused = yield* ask(`${url}/api/v1/customer-case-detail?caseId=x`, { key: keys.one })
    assert.strictEqual(refused.status, 503)
    assert.deepInclude(refused.json, { status: 503, success: false, message: "Service unavailable" })
  })
)

const readiness = (url: string) =>
  Effect.map(ask(`${url}/health/ready`), ({ json, status }) => ({ ...json, httpStatus: status }))

const reached = { auth: true, cases: true, payments: true, scheduling: true }

const isReady = { httpStatus: 200, status: "ready", away: [], checks: reached }

it.live("while a service is away, only its routes answer 503, and the gateway stays ready for a load balancer", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ environment: { PAYMENTS_URL: `http://127.0.0.1:${yield* freePort}` } })
    assert.deepStrictEqual(yield* readiness(url), {
      httpStatus: 200,
      status: "degraded",
      away: ["payments"],
      checks: { ...reached, payments: false }
    })
    const statuses = yield* Effect.forEach(
      ["/api/v1/promo-codes?code=x", "/api/v1/customer-case-detail?caseId=x", "/api/v1/users/me"],
      (path) => Effect.map(ask(url + path, { key: keys.one }), ({ status }) => status)
    )
    assert.deepStrictEqual(statuses, [503, 200, 200])
  })
)

it.effect("a service that is paused makes the gateway degraded, before a probe stops to wait", () =>
  Effect.gen(function* () {
    const paused = yield* serveListener(() => {})
    const { url } = yield* runGateway({ environment: { AUTH_URL: paused.url } })
    const before = yield* Clock.currentTimeMillis
    const { away, httpStatus } = yield* whileTimePasses(readiness(url), "2 millis")
    assert.deepStrictEqual([httpStatus, away], [200, ["auth"]])
    assert.isAtMost((yield* Clock.currentTimeMillis) - before, 1900)
  })
)

it.live("a gateway is not ready while no service answers it, is live, and is ready again when they do", () =>
  Effect.gen(function* () {
    let areAway = true
    const handle: Handle = (request, response) => {
      if (areAway) response.writeHead(503).end()
      else answerLength(request, response)
    }
    const { url } = yield* runGateway({ handle })
    assert.deepStrictEqual(yield* readiness(url), {
      httpStatus: 503,
      status: "unavailable",
      away: ["auth", "cases", "payments", "scheduling"],
      checks: { auth: false, cases: false, payments: false, scheduling: false }
    })
    assert.deepStrictEqual((yield* ask(`${url}/health/live`)).json, { status: "live" })
    areAway = false
    assert.deepStrictEqual(yield* until(readiness(url), ({ httpStatus }) => httpStatus === 200), isReady)
  })
)

it.effect(
  "a valid key is still accepted while auth is away, no other is, and auth's answer counts again when it is back",
  () =>
    Effect.gen(function* () {
      let resolveKey: Handle = resolveKnownKey
      const { url } = yield* runGateway({ resolveKey: (request, response) => resolveKey(request, response) })
      const statusOf = (key: string) =>
        whileTimePasses(ask(`${url}/api/v1/customer-case-detail?caseId=x`, { key }), "10 millis").pipe(
          Effect.map(({ status }) => status)
        )
      assert.strictEqual(yield* statusOf(keys.one), 200)
      assert.strictEqual(yield* statusOf("cv_wrong"), 401)
      const failures: ReadonlyArray<Handle> = [
        (_, response) => response.destroy(),
        (_, response) => response.writeHead(503).end(),
        () => {}
      ]
      for (const failure of failures) {
        resolveKey = resolveKnownKey
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* statusOf(keys.one), 200)
        resolveKey = failure
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* statusOf(keys.one), 200)
        assert.strictEqual(yield* statusOf(keys.two), 503)
        assert.strictEqual(yield* statusOf("cv_wrong"), 503)
      }
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(yield* statusOf(keys.one), 503)
      resolveKey = resolveKnownKey
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* statusOf(keys.one), 200)
      resolveKey = (_, response) => response.destroy()
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* statusOf(keys.one), 200)
      resolveKey = (_, response) =>
        response.writeHead(404, { "content-type": "application/json" }).end('{"_tag":"KeyNotRecognized"}')
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* statusOf(keys.one), 401)
    })
)

/** Like `exchange`, for an answer that is not text. */
const exchangeBytes = (url: string, text: string) =>
  Effect.flatMap(connection(url), (socket) => {
    socket.write(text)
    return Effect.promise(() => buffer(socket))
  })

const signInPaths = ["send-otp", "verify-otp", "refresh-token", "logout"].map((name) => `/api/v1/users/auth/${name}`)

const isSecret = ({ headers }: Answer) =>
  headers.get("cache-control") === "no-store" && headers.get("x-content-type-options") === "nosniff"

it.live("no cache may store an answer, whoever refuses the request", () =>
  Effect.gen(function* () {
    const statuses = new Map<string, number>()
    const handle: Handle = (request, response) => {
      const status = statuses.get(request.url ?? "") ?? 200
      if (status === 0) response.destroy()
      else request.resume().on("end", () => response.writeHead(status).end("{}"))
    }
    const open = yield* runGateway({ handle })
    const full = yield* runGateway({ handle, environment: { REQUESTS_AT_ONCE: "1" } })
    yield* begin(full.url, head("/api/v1/users/auth/send-otp", 10, [`cv-api-key: ${keys.one}`]))
    const lookUp = ask(`${full.url}/api/v1/check-user`, { key: keys.one })
    yield* firstRefused(lookUp)
    const large = Buffer.alloc(1024 * 1024 + 1, 32)
    const tooMany = yield* Effect.forEach(signInPaths, (path) => firstRefused(post(full.url + path, { key: keys.one })))
    for (const [index, path] of signInPaths.entries()) {
      const answers = [
        [400, yield* post(open.url + path)],
        [404, yield* post(open.url + path, { key: "cv_wrong" })],
        [405, yield* ask(open.url + path, { key: keys.one })],
        [413, yield* post(open.url + path, { key: keys.one, body: large })],
        [429, tooMany[index] ?? assert.fail(path)],
        [200, yield* post(open.url + path, { key: keys.one })]
      ] as const
      for (const [status, answer] of answers) assert.deepStrictEqual([answer.status, isSecret(answer)], [status, true])
      for (const [status, upstreamStatus] of [
        [500, 500],
        [401, 401],
        [503, 0]
      ] as const) {
        statuses.set(path, upstreamStatus)
        const answer = yield* post(open.url + path, { key: keys.one })
        assert.deepStrictEqual([answer.status, isSecret(answer)], [status, true])
      }
    }
    for (const options of [{}, { key: "cv_wrong" }, { key: keys.one }]) {
      assert.isTrue(isSecret(yield* ask(`${open.url}/api/v1/users/me`, options)))
    }
    for (const path of ["/api/v1/nothing", "/admin/v1/jobs", "/health/live"]) {
      assert.isTrue(isSecret(yield* ask(open.url + path)), path)
    }
  })
)

it.live("no cache may store the 408 of a sign-in endpoint", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ environment: { REQUEST_TIME_LIMIT: "50 millis" } })
    const headers = [`cv-api-key: ${keys.one}`, "content-length: 10"]
    const { head: top, status } = parse(
      yield* exchange(url, rawRequest("POST", "/api/v1/users/auth/send-otp", headers))
    )
    assert.strictEqual(status, 408)
    assert.include(top.toLowerCase(), "cache-control: no-store")
  })
)

it.live("a known path answers any other method with 405 and the methods it has, an unknown path with 404", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    const allowed = {
      "/": "GET, HEAD",
      "/health/live": "GET, HEAD",
      "/health/ready": "GET, HEAD",
      "/metrics": "GET, HEAD",
      "/openapi.json": "GET, HEAD",
      "/openapi/partner.json": "GET, HEAD",
      "/openapi/admin.json": "GET, HEAD",
      "/llms.txt": "GET, HEAD",
      "/status": "GET, HEAD",
      "/docs": "GET, HEAD",
      "/docs/payments": "GET, HEAD",
      "/admin/v1/jobs": "GET, HEAD",
      "/api/v1/cases": "POST, GET, HEAD",
      "/api/v1/cases/7": "POST",
      "/api/v1/users": "POST",
      "/api/v1/webhook-endpoints?limit=1": "POST, GET, HEAD",
      "/admin/v1/organizations/7": "GET, HEAD, PATCH"
    }
    for (const [path, allow] of Object.entries(allowed)) {
      for (const method of ["DELETE", "PUT", "TRACE", "PROPFIND", "QUERY"]) {
        const { head: top, json, status } = parse(yield* exchange(url, rawRequest(method, path)))
        assert.deepStrictEqual([method, path, status], [method, path, 405])
        const problem = {
          type: "about:blank",
          status: 405,
          title: "Method not allowed",
          detail: `Send one of ${allow}.`
        }
        const body = { status: 405, success: false, error: "Method not allowed" }
        assert.deepStrictEqual(json, path.startsWith("/admin/") ? problem : body)
        assert.include(top.toLowerCase().split("\r\n"), `allow: ${allow.toLowerCase()}`)
      }
      const options = parse(yield* exchange(url, rawRequest("OPTIONS", path)))
      assert.deepStrictEqual([options.status, options.json], [204, undefined], path)
      assert.include(options.head.toLowerCase().split("\r\n"), `allow: ${allow.toLowerCase()}, options`)
      assert.notInclude(options.head.toLowerCase(), "access-control")
      const other = allow.includes("GET") ? "GET" : "HEAD"
      const { status } = parse(yield* exchange(url, rawRequest(other, path)))
      assert.deepStrictEqual([other, path, status === 405], [other, path, other === "HEAD"])
    }
    for (const path of [
      "/health",
      "/api/v1",
      "/api/v1/cases/7/PLACE_ORDER",
      "/api/v1/nothing",
      "/API/v1/cases",
      "//api/v1/cases",
      "/api/v1//cases"
    ]) {
      for (const method of ["PROPFIND", "OPTIONS"]) {
        const { json } = parse(yield* exchange(url, rawRequest(method, path)))
        assert.deepStrictEqual(json, { status: 404, success: false, error: "Not found" })
      }
    }
  })
)

it.live("every refusal of the admin API by the gateway is problem details", () =>
  Effect.gen(function* () {
    const operator = "authorization: Bearer operator"
    const organizations = "/admin/v1/organizations"
    const send = (url: string, length: number, path = organizations) =>
      Effect.map(exchange(url, rawRequest("POST", path, [operator, `content-length: ${length}`])), parse)
    const open = yield* runGateway()
    const impatient = yield* runGateway({ environment: { REQUEST_TIME_LIMIT: "50 millis" } })
    const full = yield* runGateway({ environment: { REQUESTS_AT_ONCE: "1" } })
    yield* begin(full.url, head(organizations, 10, [operator]))
    const busy = yield* firstRefused(send(full.url, 0))
    const refused = [
      [413, "Request body too large", yield* send(open.url, 1024 * 1024 + 1)],
      [408, "Request body too slow", yield* send(impatient.url, 10)],
      [429, "Rate limit exceeded", busy],
      [405, "Method not allowed", yield* send(open.url, 0, "/admin/v1/jobs")],
      [404, "Not found", yield* send(open.url, 0, "/admin/v1/nothing")]
    ] as const
    for (const [status, title, { head: top, json }] of refused) {
      assert.include(top.toLowerCase(), "content-type: application/problem+json")
      assert.deepStrictEqual(json, { type: "about:blank", title, status, detail: json.detail })
      assert.match(json.detail, /^[A-Z].+\.$/)
    }
    assert.include(busy.head.toLowerCase(), "retry-after: 1")
  })
)

it.live("metrics need a token: the operator's, or one of scrapers, which opens nothing else", () =>
  Effect.gen(function* () {
    const [scraper, next] = ["a".repeat(32), "b".repeat(32)]
    const { url } = yield* runGateway({ environment: { METRICS_TOKEN: `${scraper},${next}` } })
    for (const authorization of [undefined, "Bearer wrong", "operator", scraper, `Bearer ${scraper}b`]) {
      const refused = yield* ask(`${url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
      assert.strictEqual(refused.status, 401)
      assert.strictEqual(refused.headers.get("content-type"), "application/problem+json")
    }
    for (const token of ["operator", scraper, next]) {
      const metrics = yield* Effect.promise(() =>
        fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
      )
      assert.strictEqual(metrics.status, 200)
      assert.include(yield* Effect.promise(() => metrics.text()), "http_server_request_duration_seconds")
      const { status } = yield* ask(`${url}/admin/v1/organizations`, { headers: { authorization: `Bearer ${token}` } })
      assert.strictEqual(status, token === "operator" ? 200 : 401)
    }
    const withoutOperator = yield* runGateway({ environment: { ADMIN_TOKEN: "off", METRICS_TOKEN: scraper } })
    const authorization = `Bearer ${scraper}`
    const scraped = yield* Effect.promise(() => fetch(`${withoutOperator.url}/metrics`, { headers: { authorization } }))
    assert.strictEqual(scraped.status, 200)
  })
)

it.live("the documents are compressed for clients that accept it, and revalidated with 304", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    for (const path of ["/openapi.json", "/openapi/admin.json"]) {
      const get = (method: string, headers: ReadonlyArray<string>) =>
        Effect.map(exchangeBytes(url, rawRequest(method, path, headers)), (bytes) => {
          const end = bytes.indexOf("\r\n\r\n")
          const [status = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n")
          const headers = new Map(
            lines.map((line) => {
              const [name = "", ...value] = line.split(": ")
              return [name.toLowerCase(), value.join(": ")]
            })
          )
          return { status: Number(status.split(" ")[1]), headers, body: bytes.subarray(end + 4) }
        })
      const uncompressed = yield* get("GET", [])
      const codings: ReadonlyArray<
        readonly [accepted: string, coding: string | undefined, decode: (bytes: Buffer) => Buffer]
      > = [
        ["br", "br", brotliDecompressSync],
        ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
        ["gzip;q=1.0, br;q=0", "gzip", gunzipSync],
        ["GZIP", "gzip", gunzipSync],
        ["*", "br", brotliDecompressSync],
        ["deflate", undefined, (bytes) => bytes],
        ["identity;q=0.5, *;q=0", undefined, (bytes) => bytes]
      ]
      const etags = new Set([uncompressed.headers.get("etag")])
      for (const [accepted, coding, decode] of codings) {
        const sent = yield* get("GET", [`accept-encoding: ${accepted}`])
        assert.deepStrictEqual([sent.status, sent.headers.get("content-encoding")], [200, coding], accepted)
        assert.isTrue(decode(sent.body).equals(uncompressed.body), accepted)
        assert.strictEqual(sent.headers.get("content-length"), String(sent.body.length))
        assert.strictEqual(sent.headers.get("content-type"), uncompressed.headers.get("content-type"))
        assert.strictEqual(sent.headers.get("vary"), "accept-encoding")
        if (coding !== undefined) assert.isBelow(sent.body.length, uncompressed.body.length / 3)
        const etag = sent.headers.get("etag") ?? assert.fail(accepted)
        assert.match(etag, /^"[\w-]+"$/)
        etags.add(etag)

        const head = yield* get("HEAD", [`accept-encoding: ${accepted}`])
        assert.deepStrictEqual([head.status, head.headers.get("etag"), head.body.length], [200, etag, 0])
        for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
          const revalidated = yield* get("GET", [`accept-encoding: ${accepted}`, `if-none-match: ${ifNoneMatch}`])
          assert.deepStrictEqual(
            [revalidated.status, revalidated.headers.get("etag"), revalidated.body.length],
            [304, etag, 0],
            ifNoneMatch
          )
          assert.strictEqual(revalidated.headers.get("vary"), "accept-encoding")
        }
        assert.strictEqual((yield* get("GET", [`accept-encoding: ${accepted}`, 'if-none-match: "x"'])).status, 200)
      }
      assert.strictEqual(etags.size, 3)
      assert.strictEqual(uncompressed.headers.get("cache-control"), "no-cache")
    }
  })
)

it.live(
  "a target in absolute form is read as its path, in any letter case of the scheme, also if no operation has the path",
  () =>
    Effect.gen(function* () {
      const { targets, url } = yield* runGateway()
      const send = (target: string) =>
        Effect.map(exchange(url, rawRequest("GET", target, [`cv-api-key: ${keys.one}`])), parse)
      const path = "/api/v1/customer-case-detail?caseId=x"
      for (const prefix of ["http://x", "HTTP://x", "hTTps://user@x:80"]) {
        assert.strictEqual((yield* send(prefix + path)).status, 200, prefix)
        const { head: top, json } = yield* send(`${prefix}/admin/v1/nothing`)
        assert.include(top.toLowerCase(), "content-type: application/problem+json")
        assert.deepInclude(json, { type: "about:blank", status: 404, title: "Not found" })
        assert.strictEqual((yield* send(`${prefix}/admin/v1/jobs`)).status, 401)
        assert.strictEqual((yield* send(`${prefix}/health/live`)).status, 200)
        for (const home of [prefix, `${prefix}?x=1`]) assert.strictEqual((yield* send(home)).status, 302, home)
        for (const unknown of [`${prefix}//api/v1/customer-case-detail`]) {
          assert.strictEqual((yield* send(unknown)).status, 404, unknown)
        }
      }
      assert.deepStrictEqual(targets, Array(3).fill(`GET ${path}`))
      assert.strictEqual((yield* send(`ftp://x${path}`)).status, 404)
    })
)

it.live("a path is forwarded unchanged, whatever its content and length", () =>
  Effect.gen(function* () {
    const { targets, url } = yield* runGateway({ handle: answerLength })
    const paths = ["7;x=y", "7%3Bx", "x".repeat(5000), "50%"].map((id) => `/api/v1/organization/bundles/${id}`)
    for (const path of paths) {
      const answer = yield* exchange(url, rawRequest("GET", path, [`cv-api-key: ${keys.one}`]))
      assert.strictEqual(parse(answer).status, 200, path)
    }
    assert.deepStrictEqual(
      targets,
      paths.map((path) => `GET ${path}`)
    )
    const shared = yield* post(`${url}/api/v1/users?a=b?c`, { key: keys.one, body: '{"action":"UPDATE_EMAIL"}' })
    assert.strictEqual(shared.status, 200)
    assert.strictEqual(targets.at(-1), "POST /api/v1/users/UPDATE_EMAIL?a=b?c")
  })
)
