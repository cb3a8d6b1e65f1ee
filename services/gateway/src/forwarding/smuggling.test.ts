import type { IncomingHttpHeaders } from "node:http"
import { identityHeader, requestIdHeader } from "@care/service-kit"
import { exchange, rawRequest } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { plainRoutes, sharedPaths } from "../routing/routes.ts"
import { parse } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { keys, resolveTestKey } from "../testing/Upstream.ts"

interface Received {
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

/** A gateway, and the requests that it forwarded to the services. */
class Gateway extends Context.Service<Gateway, { readonly url: string; readonly received: Array<Received> }>()(
  "@care/gateway/test/Gateway"
) {
  static readonly layer = Layer.effect(
    Gateway,
    Effect.gen(function* () {
      const received: Array<Received> = []
      const { url } = yield* runGateway({
        // Operations of sandboxes are refused to other keys.
        resolveKey: resolveTestKey,
        handle: ({ headers, method, url }, response) => {
          received.push({ target: `${method} ${url}`, headers })
          response.writeHead(200, { "content-type": "application/json" }).end("{}")
        }
      })
      return Gateway.of({ url, received })
    })
  )
}

const path = "/api/v1/check-user?email=maria@example.com"
const key = `cv-api-key: ${keys.one}`

layer(Gateway.layer, { excludeTestServices: true })("the head of a caller's request", (it) => {
  /** Sends exactly this text, and returns the answer and the requests that reached a service. */
  const send = Effect.fnUntraced(function* (text: string) {
    const { received, url } = yield* Gateway
    received.length = 0
    const answer = parse(yield* exchange(url, text))
    return { answer, received: [...received] }
  })

  it.effect("only the gateway sets the identity of a request, whatever the caller sends", () =>
    Effect.gen(function* () {
      for (const value of ["forged", "Bearer forged", ""]) {
        const forged = [identityHeader, identityHeader.toUpperCase()].map((name) => `${name}: ${value}`)
        const { answer, received } = yield* send(rawRequest("GET", path, [key, ...forged]))
        assert.strictEqual(answer.status, 200)
        const [{ headers } = assert.fail("nothing was sent on")] = received
        assert.notInclude(String(headers[identityHeader]), "forged")
        assert.match(String(headers[identityHeader]), /^\S{40,}$/)
        assert.notInclude(JSON.stringify(headers), keys.one)
      }
      const { answer, received } = yield* send(rawRequest("GET", path, [`${identityHeader}: forged`]))
      assert.deepStrictEqual([answer.status, received], [401, []])
    })
  )

  it.effect("hop-by-hop headers are not forwarded, including those that the caller names", () =>
    Effect.gen(function* () {
      const hops = ["te: trailers", "upgrade: h2c", "keep-alive: timeout=9", "proxy-authorization: Basic eDp5"]
      const callerHeaders = ["x-hop: 1", "x-kept: 1", "proxy-connection: keep-alive"]
      const raw = rawRequest("GET", path, [key, ...hops, ...callerHeaders]).replace(
        "connection: close",
        "connection: close, X-Hop"
      )
      const { answer, received } = yield* send(raw)
      assert.strictEqual(answer.status, 200)
      const [{ headers } = assert.fail("nothing was sent on")] = received
      assert.include(headers, { "x-kept": "1" })
      for (const name of ["te", "upgrade", "keep-alive", "proxy-authorization", "proxy-connection", "x-hop"]) {
        assert.notProperty(headers, name)
      }
      assert.notInclude(String(headers.connection), "hop")
    })
  )

  it.effect("the gateway's own headers cannot be removed by the Connection header", () =>
    Effect.gen(function* () {
      const ownRequestId = "7d441101-e2bb-4255-8caf-4136c566a962"
      const raw = rawRequest("GET", path, [key, `${requestIdHeader}: ${ownRequestId}`]).replace(
        "connection: close",
        `connection: close, ${identityHeader}, ${requestIdHeader}, host, content-length`
      )
      const { answer, received } = yield* send(raw)
      assert.strictEqual(answer.status, 200)
      assert.match(String(received[0]?.headers[identityHeader]), /^\S{40,}$/)
      assert.strictEqual(received[0]?.headers[requestIdHeader], ownRequestId)
    })
  )

  const smuggled = "GET /api/v1/organization/bundles HTTP/1.1\r\nhost: x\r\n\r\n"
  const post = (headers: ReadonlyArray<string>, body: string) =>
    `${rawRequest("POST", "/api/v1/cases", [key, "content-type: application/json", ...headers])}${body}`

  const ambiguous: Readonly<Record<string, string>> = {
    "a length and chunks": post(["content-length: 4", "transfer-encoding: chunked"], `0\r\n\r\n${smuggled}`),
    "chunks and a length": post(["transfer-encoding: chunked", "content-length: 4"], `0\r\n\r\n${smuggled}`),
    "two lengths": post(["content-length: 2", `content-length: ${2 + smuggled.length}`], `{}${smuggled}`),
    "two lengths in one header": post([`content-length: 2, ${2 + smuggled.length}`], `{}${smuggled}`),
    "a length with a sign": post(["content-length: +2"], `{}${smuggled}`),
    "a length in hexadecimal digits": post(["content-length: 0x2"], `{}${smuggled}`),
    "chunks that are not the last coding": post(["transfer-encoding: chunked, identity"], `0\r\n\r\n${smuggled}`),
    "two codings": post(["transfer-encoding: chunked", "transfer-encoding: gzip"], `0\r\n\r\n${smuggled}`),
    "a coding nobody knows": post(["transfer-encoding: xchunked"], `0\r\n\r\n${smuggled}`),
    "a space before the colon": post(["transfer-encoding : chunked", "content-length: 2"], `{}${smuggled}`),
    "a header that goes on in the next line": post(["content-length:\r\n 2"], `{}${smuggled}`),
    "a bare line feed": post(["x-a: 1\ntransfer-encoding: chunked", "content-length: 2"], `{}${smuggled}`),
    "a bare carriage return": post(["x-a: 1\rtransfer-encoding: chunked", "content-length: 2"], `{}${smuggled}`),
    "a NUL": post(["x-a: 1\u00002", "content-length: 2"], `{}${smuggled}`),
    "a chunk whose length is none": post(["transfer-encoding: chunked"], `zz\r\n{}\r\n0\r\n\r\n${smuggled}`),
    "no HTTP at all": "nonsense\r\n\r\n"
  }

  for (const [name, text] of Object.entries(ambiguous)) {
    it.effect(`is refused where it could be read in two ways: ${name}`, () =>
      Effect.gen(function* () {
        const { answer, received } = yield* send(text)
        assert.deepStrictEqual([answer.status, received.map(({ target }) => target)], [400, []])
      })
    )
  }

  it.effect("reaches only paths of the contracts, at the services that serve them", () =>
    Effect.gen(function* () {
      const answered = yield* send(rawRequest("GET", path, [key]))
      assert.deepStrictEqual(
        answered.received.map(({ target }) => target),
        [`GET ${path}`]
      )
      const absolute = yield* send(rawRequest("GET", `http://169.254.169.254:80${path}`, [key]))
      assert.deepStrictEqual(
        absolute.received.map(({ headers, target }) => [target, headers.host]),
        answered.received.map(({ headers, target }) => [target, headers.host])
      )
      for (const target of [
        `//169.254.169.254${path}`,
        `/\\169.254.169.254${path}`,
        "/internal/v1/keys/resolve",
        "//internal/v1/keys/resolve",
        "/api/v1/../../internal/v1/keys/resolve",
        "/api/v1/%2e%2e/%2e%2e/internal/v1/keys/resolve",
        "/api/v1/..%2f..%2finternal/v1/keys/resolve",
        "/%69nternal/v1/keys/resolve",
        "/api/v1/cases/x/PLACE_ORDER",
        "*",
        "api/v1/check-user"
      ]) {
        const { answer, received } = yield* send(rawRequest("GET", target, [key]))
        assert.deepStrictEqual([target, received.map((request) => request.target)], [target, []])
        assert.include([400, 404, 405], answer.status, target)
      }
    })
  )

  it.effect("two idempotency keys are refused on every path that takes one, in the form of the operation", () =>
    Effect.gen(function* () {
      const twice = ["Idempotency-Key: one", "idempotency-key: two"]
      const posts = (path: string, headers: ReadonlyArray<string>, body = "{}") =>
        send(`${rawRequest("POST", path, [key, `content-length: ${body.length}`, ...headers])}${body}`)
      for (const { action, caller, endpoint } of [
        ...plainRoutes,
        ...sharedPaths.flatMap(({ actions }) => [...actions.values()])
      ]) {
        if (caller !== "partner" || endpoint.method !== "POST") continue
        const path = endpoint.path.replaceAll(/:\w+/g, "7").replace(action === undefined ? "" : `/${action}`, "")
        const body = JSON.stringify({ action })
        const { answer, received } = yield* posts(path, twice, body)
        assert.deepStrictEqual([answer.status, received], [400, []], path)
        assert.isString(answer.json.error ?? answer.json.message, path)
        assert.strictEqual((yield* posts(path, ["Idempotency-Key: one, two"], body)).answer.status, 200, path)
      }
      for (const keys of [
        ["same", "same"],
        ["one", ""],
        ["a,b", "c"]
      ]) {
        const { answer } = yield* posts(
          "/api/v1/cases",
          keys.map((value) => `Idempotency-Key: ${value}`)
        )
        assert.strictEqual(answer.status, 400)
        assert.include(JSON.stringify(answer.json), "idempotency-key, must be given once")
      }
    })
  )

  it.effect("a request with two API keys has none", () =>
    Effect.gen(function* () {
      for (const otherKey of [keys.one, keys.two, "", "cv_wrong"]) {
        for (const pair of [
          [keys.one, otherKey],
          [otherKey, keys.one]
        ]) {
          const { answer, received } = yield* send(
            rawRequest(
              "GET",
              path,
              pair.map((value) => `cv-api-key: ${value}`)
            )
          )
          assert.deepStrictEqual([answer.status, received], [401, []], pair.join(" and "))
        }
      }
    })
  )

  it.effect("an invalid request id is replaced, so that nothing the caller wrote is answered or logged", () =>
    Effect.gen(function* () {
      for (const id of ["none", "a b", "a\tb", "a%0d%0ab", "é", "\u009b31m", "a".repeat(101), "a,b"]) {
        const { answer, received } = yield* send(rawRequest("GET", path, [key, `${requestIdHeader}: ${id}`]))
        assert.strictEqual(answer.status, 200)
        const sent = String(received[0]?.headers[requestIdHeader])
        assert.match(sent, /^[0-9a-f-]{36}$/)
        assert.include(answer.head, `${requestIdHeader}: ${sent}`)
      }
      const { answer, received } = yield* send(rawRequest("GET", path, [key, `${requestIdHeader}: \u001b[31m`]))
      assert.deepStrictEqual([answer.status, received], [400, []])
    })
  )
})
