import {
  connection,
  exchange,
  rawRequest,
  readSlowly,
  serveRoutes,
  until,
  untilClosed
} from "@care/service-kit/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { networkOf } from "./clientAddress.ts"
import { limitedServer } from "./limitedServer.ts"

const limits = { connections: 8, requestMillis: 60_000, idleMillis: 1000, trustedProxies: [] }
const largeAnswer = Buffer.alloc(24 * 1024 * 1024, "x")

const routes = Layer.merge(
  HttpRouter.add("GET", "/small", HttpServerResponse.text("here")),
  HttpRouter.add("GET", "/large", HttpServerResponse.uint8Array(largeAnswer))
)

/** Starts a server behind a trusted proxy, whose `/held` never answers. `held` counts the requests to it. */
const serveHeld = Effect.gen(function* () {
  let count = 0
  const held = Effect.suspend(() => {
    count += 1
    return Effect.ensuring(
      Effect.never,
      Effect.sync(() => {
        count -= 1
      })
    )
  })
  const url = yield* serveRoutes(Layer.merge(routes, HttpRouter.add("GET", "/held", held)), {
    makeServer: limitedServer({
      ...limits,
      idleMillis: 60_000,
      trustedProxies: [networkOf("127.0.0.1") ?? assert.fail("no network")]
    })
  })
  return { url, held: Effect.sync(() => count) }
})

// Concurrent, because each test waits, on a server of its own.
describe.concurrent("what callers may hold", () => {
  it.live("bytes that are no request are answered, and the connection is closed", () =>
    Effect.gen(function* () {
      const patient = yield* serveRoutes(routes, { makeServer: limitedServer(limits) })
      const hasty = yield* serveRoutes(routes, { makeServer: limitedServer({ ...limits, requestMillis: 300 }) })
      const attempts: ReadonlyArray<readonly [status: number, url: string, text: string]> = [
        [400, patient, "HELLO\r\n\r\n"],
        [431, patient, rawRequest("GET", "/small", [`x-filler: ${"x".repeat(20_000)}`])],
        [408, hasty, "GET /small HTTP/1.1\r\nhost: test\r\n"],
        [408, hasty, ""]
      ]
      const answered = Effect.fnUntraced(function* ([status, url, text]: (typeof attempts)[number]) {
        const [head = "", body = ""] = (yield* exchange(url, text)).split("\r\n\r\n")
        assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
        assert.include(head, "x-content-type-options: nosniff")
        assert.match(head, /x-request-id: [0-9a-f-]{36}/)
        assert.deepInclude(JSON.parse(body), { status, success: false })
      })
      yield* Effect.forEach(attempts, answered, { concurrency: "unbounded" })
    })
  )

  it.live("a service accepts a head twice as large as the gateway does, with all its headers", () =>
    Effect.gen(function* () {
      const seen = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        HttpServerResponse.text(`seen ${Object.keys(headers).length}`)
      )
      const route = HttpRouter.add("GET", "/seen", seen)
      const [open, service] = [
        yield* serveRoutes(route, { makeServer: limitedServer(limits) }),
        yield* serveRoutes(route)
      ]
      const head = (fillers: number) =>
        rawRequest(
          "GET",
          "/seen",
          Array.from({ length: fillers }, (_, index) => `${index.toString(36).padStart(3, "0")}: xyz`)
        )
      const [large, larger] = [head(2500), head(4000)]
      assert.isAbove(larger.length, 16 * 1024)
      assert.include(yield* exchange(open, large), "seen 2502")
      assert.include(yield* exchange(service, larger), "seen 4002")
      assert.match(yield* exchange(open, larger), /^HTTP\/1.1 431 /)
      assert.match(yield* exchange(service, head(9000)), /^HTTP\/1.1 431 /)
    })
  )

  it.live(
    "one address has at most as many connections as are free for others, and gets new ones when it closes some",
    () =>
      Effect.gen(function* () {
        const url = yield* serveRoutes(routes, { makeServer: limitedServer(limits) })
        const held = yield* Effect.forEach([1, 2, 3, 4], () => connection(url))
        assert.strictEqual(yield* exchange(url, rawRequest("GET", "/small")), "")
        for (const socket of held) {
          socket.destroy()
          yield* untilClosed(socket)
        }
        const served = exchange(url, rawRequest("GET", "/small"))
        assert.include(yield* Effect.repeat(served, { until: (answer) => answer !== "" }), "here")
      })
  )

  it.live(
    "an address with its full share behind a trusted proxy gets 429, and other addresses behind it are served",
    () =>
      Effect.gen(function* () {
        const { url } = yield* serveHeld
        const forwardedFor = (address: string) => [`x-forwarded-for: ${address}`]
        yield* Effect.forEach([1, 2, 3, 4], () =>
          Effect.tap(connection(url), (socket) =>
            Effect.sync(() => socket.write(rawRequest("GET", "/held", forwardedFor("192.0.2.1"))))
          )
        )
        const refused = yield* exchange(
          url,
          rawRequest("POST", "/small", [...forwardedFor("192.0.2.1"), "content-length: 9"])
        )
        const [head = "", body = ""] = refused.split("\r\n\r\n")
        assert.match(head, /^HTTP\/1.1 429 /)
        assert.match(head, /connection: close/i)
        assert.deepInclude(JSON.parse(body), { status: 429, success: false, retryAfter: 1 })
        assert.include(yield* exchange(url, rawRequest("GET", "/small", forwardedFor("192.0.2.2"))), "here")
      })
  )

  it.live("a closed connection ends its requests, also those that waited for an earlier one", () =>
    Effect.gen(function* () {
      const { held, url } = yield* serveHeld
      const header = "x-forwarded-for: 192.0.2.1"
      const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: test\r\n${header}\r\n\r\n`
      for (let round = 0; round < 10; round += 1) {
        const socket = yield* connection(url)
        socket.write(request("/held") + request("/held") + request("/held"))
        yield* until(held, (count) => count === 3)
        socket.destroy()
        yield* until(held, (count) => count === 0)
      }
      assert.include(yield* exchange(url, rawRequest("GET", "/small", [header])), "here")
    })
  )

  it.live("an answer that the caller does not read is cut off, and one that it reads slowly is not", () =>
    Effect.gen(function* () {
      const { idleMillis } = limits
      const url = yield* serveRoutes(routes, { makeServer: limitedServer(limits) })
      const unread = yield* connection(url)
      unread.write(rawRequest("GET", "/large"))

      const slow = yield* connection(url)
      slow.write(rawRequest("GET", "/large"))
      const began = performance.now()
      const read = yield* readSlowly(slow, 8)
      assert.isAbove(read, largeAnswer.length)
      assert.isAbove(performance.now() - began, 2 * idleMillis)
      assert.isBelow((yield* untilClosed(unread)).length, largeAnswer.length)
    })
  )
})
