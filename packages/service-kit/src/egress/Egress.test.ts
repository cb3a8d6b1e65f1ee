import { pbkdf2 } from "node:crypto"
import { createSocket, type Socket } from "node:dgram"
import type { RequestListener } from "node:http"
import { type AddressInfo, createServer, type Server } from "node:net"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { serveListener } from "../testing/serveListener.ts"
import { Egress } from "./Egress.ts"
import { makeResolve, type Resolve, systemResolve } from "./guardedAgent.ts"

/** Starts a server on this machine, and counts its requests. */
const serverOf = Effect.fnUntraced(function* (answer: RequestListener) {
  let requests = 0
  const { port, url } = yield* serveListener((request, response) => {
    requests += 1
    answer(request, response)
  })
  return { url, port, requests: () => requests }
})

const resolvingTo =
  (...addresses: ReadonlyArray<string>): Resolve =>
  (_hostname, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    )

const development = Egress.layerWith({ isProduction: false, resolve: systemResolve })
const production = Egress.layerWith({ isProduction: true, resolve: systemResolve })
const resolving = (resolve: Resolve) => Effect.provide(Egress.layerWith({ isProduction: false, resolve }))

const download = (url: string, maxBytes = 1000) => Effect.flatMap(Egress, (egress) => egress.download(url, maxBytes))
const check = (url: string) => Effect.flatMap(Egress, (egress) => egress.check(url))

describe("Egress", () => {
  it.live("downloads a file, with its content type", () =>
    Effect.gen(function* () {
      const { url } = yield* serverOf((_, response) => response.setHeader("content-type", "text/plain").end("hello"))
      const { bytes, contentType } = yield* download(`${url}/a?b=c`)
      assert.deepStrictEqual([bytes.toString(), contentType], ["hello", "text/plain"])
    }).pipe(Effect.provide(development), Effect.scoped)
  )

  it.live("reads no more than the maximum, whether the length is declared or not", () =>
    Effect.gen(function* () {
      const declared = yield* serverOf((_, response) => response.end("x".repeat(1001)))
      const streamed = yield* serverOf((_, response) => {
        const writing = setInterval(() => response.write("x".repeat(500)), 1)
        response.on("close", () => clearInterval(writing))
      })
      for (const { url } of [declared, streamed]) {
        const error = yield* Effect.flip(download(url))
        assert.deepInclude(error, { _tag: "EgressFailed", isRetryable: false })
        assert.strictEqual(error.reason, "has too many bytes")
      }
    }).pipe(Effect.provide(development), Effect.scoped)
  )

  it.live("follows no redirect, and marks the failures that are worth a retry", () =>
    Effect.gen(function* () {
      const target = yield* serverOf((_, response) => response.end("inside"))
      for (const [status, isRetryable] of [
        [302, false],
        [404, false],
        [429, true],
        [503, true]
      ] as const) {
        const { url } = yield* serverOf((_, response) =>
          response.writeHead(status, { location: target.url }).end("secret")
        )
        const error = yield* Effect.flip(download(url))
        assert.deepInclude(error, { _tag: "EgressFailed", reason: `answered ${status}`, isRetryable })
      }
      assert.strictEqual(target.requests(), 0)
      const closed = yield* Effect.flip(download("http://127.0.0.1:1/"))
      assert.deepInclude(closed, { reason: "did not answer", isRetryable: true })
    }).pipe(Effect.provide(development), Effect.scoped)
  )

  it.live("does not connect to a name with a private address, even if it is one of several", () =>
    Effect.gen(function* () {
      const { requests, port } = yield* serverOf((_, response) => response.end("inside"))
      for (const addresses of [
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["8.8.8.8", "192.168.0.1"],
        ["::ffff:10.0.0.1"],
        ["fd00::1"]
      ]) {
        const rebound = resolving(resolvingTo(...addresses))
        const error = yield* Effect.flip(download(`http://rebound.example:${port}/`)).pipe(rebound)
        assert.deepInclude(error, { _tag: "EgressRefused", reason: "must not lead to a private address" })
      }
      const local = Egress.layerWith({ isProduction: true, resolve: resolvingTo("127.0.0.1") })
      const error = yield* Effect.flip(download(`https://rebound.example:${port}/`)).pipe(Effect.provide(local))
      assert.strictEqual(error._tag, "EgressRefused")
      assert.strictEqual(requests(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("refuses other schemes, credentials, and private addresses in every spelling", () =>
    Effect.gen(function* () {
      for (const url of ["", "x", "file:///etc/passwd", "ftp://a.example/", "data:text/plain,x", "http://a.example/"]) {
        assert.strictEqual((yield* Effect.flip(check(url)))._tag, "EgressRefused", url)
      }
      for (const url of [
        "https://user:secret@a.example/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://0177.0.0.1/",
        "https://10.1.2.3/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[fe80::1]/",
        "https://0.0.0.0/",
        "https://a.example:0/"
      ]) {
        const error = yield* Effect.flip(check(url))
        assert.match(error.reason, /^must /, url)
        assert.notInclude(error.reason, "secret")
      }
      yield* check("https://a.example/b?c=d")
      yield* check("https://8.8.8.8/")
    }).pipe(Effect.provide(production))
  )

  const answering =
    (...answers: ReadonlyArray<Parameters<Parameters<Resolve>[1]>>): Resolve =>
    (_hostname, done) => {
      for (const answer of answers) setImmediate(() => done(...answer))
    }
  const failing = (code: string) => Object.assign(new Error(`getaddrinfo ${code}`), { code })

  it.live("a resolver may fail, throw or answer nothing, and its first answer counts", () =>
    Effect.gen(function* () {
      const { port } = yield* serverOf((_, response) => response.end("hello"))
      const local = { address: "127.0.0.1", family: 4 }
      const throwing: Resolve = () => {
        throw new TypeError("a resolver that throws")
      }
      const failed = { _tag: "EgressFailed", reason: "did not answer", isRetryable: true } as const
      for (const [resolve, expected] of [
        [systemResolve, failed],
        [answering([failing("ENOTFOUND")]), failed],
        [answering([failing("EAI_AGAIN")], [null, [local]]), failed],
        [throwing, failed],
        [(_hostname: string, done: Parameters<Resolve>[1]) => done(null), { _tag: "EgressRefused" }],
        [answering([null, undefined]), { _tag: "EgressRefused" }],
        [answering([null, []]), { _tag: "EgressRefused" }]
      ] as const) {
        const error = yield* Effect.flip(download("http://nowhere.invalid/")).pipe(resolving(resolve))
        assert.deepInclude(error, expected)
      }
      const first = answering([null, [local]], [failing("late")], [null, [local]])
      const { bytes } = yield* download(`http://a.example:${port}/`).pipe(resolving(first))
      assert.strictEqual(bytes.toString(), "hello")
    }).pipe(Effect.scoped)
  )

  it.effect("a resolver that never answers is waited for half a minute at most", () =>
    Effect.gen(function* () {
      const called = yield* Deferred.make<void>()
      const never: Resolve = () => Deferred.doneUnsafe(called, Effect.void)
      const waiting = yield* Effect.flip(download("http://a.example/")).pipe(resolving(never), Effect.forkChild)
      yield* Deferred.await(called)
      yield* TestClock.adjust("30 seconds")
      assert.deepInclude(yield* Fiber.join(waiting), { _tag: "EgressFailed", reason: "took too long" })
    })
  )

  const post = (url: string, within = Duration.seconds(5)) =>
    Effect.flatMap(Egress, (egress) =>
      egress.post(url, { headers: { "x-kind": "test" }, body: "hello", maxBytes: 10, within })
    )

  it.live("posts, and returns any answer, also a redirect, with only the first bytes of its body", () =>
    Effect.gen(function* () {
      const target = yield* serverOf((_, response) => response.end("inside"))
      const received: Array<unknown> = []
      const { url } = yield* serverOf(async (request, response) => {
        received.push(request.method, request.headers["x-kind"], await text(request))
        response.writeHead(307, { location: target.url, "retry-after": "7" }).end("0123456789 and more")
      })
      assert.deepStrictEqual(yield* post(url), { status: 307, retryAfter: "7", text: "0123456789" })
      assert.deepStrictEqual(received, ["POST", "test", "hello"])
      assert.strictEqual(target.requests(), 0)
    }).pipe(Effect.provide(development), Effect.scoped)
  )

  it.live("returns the beginning of an answer that never ends, and fails if an answer never begins", () =>
    Effect.gen(function* () {
      const endless = yield* serverOf((_, response) => {
        const writing = setInterval(() => response.write("x"), 1)
        response.on("close", () => clearInterval(writing))
      })
      assert.deepInclude(yield* post(endless.url), { status: 200, text: "xxxxxxxxxx" })
      for (const silent of [
        yield* serverOf(() => {}),
        yield* serverOf((_, response) => void response.writeHead(200).write("x"))
      ]) {
        const error = yield* Effect.flip(post(silent.url, Duration.millis(100)))
        assert.deepInclude(error, { _tag: "EgressFailed", reason: "did not answer" })
      }
      const inside = Egress.layerWith({ isProduction: true, resolve: resolvingTo("10.0.0.1") })
      const error = yield* Effect.flip(post("https://inside.example/")).pipe(Effect.provide(inside))
      assert.strictEqual(error._tag, "EgressRefused")
    }).pipe(Effect.provide(development), Effect.scoped)
  )

  it.live("anything but a valid answer is a failure within the time, and its connection is closed", () =>
    Effect.gen(function* () {
      // Starts a server that writes these texts. `closed` completes when its connection is closed.
      const serving = (begin: string, more: string) =>
        Effect.gen(function* () {
          const closed = yield* Deferred.make<void>()
          const server = yield* Effect.acquireRelease(
            Effect.callback<Server>((resume) => {
              const listening = createServer((socket) => {
                socket.resume()
                socket.write(begin)
                const writing = more === "" ? undefined : setInterval(() => socket.write(more), 1)
                socket.on("error", () => {})
                socket.on("close", () => {
                  clearInterval(writing)
                  Deferred.doneUnsafe(closed, Effect.void)
                })
              }).listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
            }),
            (listening) => Effect.sync(() => listening.close())
          )
          const { port } = server.address() as AddressInfo
          return { url: `http://127.0.0.1:${port}`, closed }
        })
      for (const [begin, more] of [
        ["HTTP/1.1 200 OK\r\nx: ", "y".repeat(1000)],
        ["", "HTTP/1.1 100 Continue\r\n\r\n"],
        ["", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"],
        ["HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", ""],
        ["HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\nhello", ""],
        ["nonsense\r\n\r\n", ""]
      ] as const) {
        const { closed, url } = yield* serving(begin, more)
        const error = yield* Effect.flip(post(url, Duration.millis(300)))
        assert.strictEqual(error._tag, "EgressFailed", begin + more)
        yield* Deferred.await(closed)
      }
    }).pipe(Effect.provide(development), Effect.scoped)
  )

  it.live("fetches for a library: any status, no redirect, no private address, and at most a mebibyte", () =>
    Effect.gen(function* () {
      const { fetch } = yield* Egress
      const received: Array<unknown> = []
      const target = yield* serverOf(async (request, response) => {
        received.push(request.method, request.headers["x-kind"], await text(request))
        response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}')
      })
      const redirecting = yield* serverOf((_, response) => response.writeHead(302, { location: target.url }).end())
      const long = yield* serverOf((_, response) => response.end("x".repeat(1024 * 1024 + 1)))
      const body = new URLSearchParams({ code: "a b" })
      const answer = yield* Effect.promise(() =>
        fetch(target.url, { method: "POST", headers: { "x-kind": "test" }, body })
      )
      assert.deepStrictEqual(
        [answer.status, answer.headers.get("content-type"), yield* Effect.promise(() => answer.json())],
        [400, "application/json", { error: "invalid_grant" }]
      )
      assert.deepStrictEqual(received, ["POST", "test", "code=a+b"])
      const get = (url: string) =>
        Effect.tryPromise({ try: () => fetch(url, { method: "GET", headers: {} }), catch: (error) => error })
      assert.strictEqual((yield* get(redirecting.url)).status, 302)
      assert.strictEqual(target.requests(), 1)
      for (const [url, expected] of [
        [long.url, { _tag: "EgressFailed", reason: "has too many bytes" }],
        ["http://127.0.0.1:1/", { _tag: "EgressFailed", reason: "did not answer" }],
        ["https://10.0.0.1/", { _tag: "EgressRefused" }],
        ["file:///etc/passwd", { _tag: "EgressRefused" }]
      ] as const) {
        assert.deepInclude(yield* Effect.flip(get(url)), expected, url)
      }
    }).pipe(Effect.provide(development), Effect.scoped)
  )

  it.live("all failures of a post look the same, and take the same time", () =>
    Effect.gen(function* () {
      const silent = yield* serverOf(() => {})
      const hangsUp = yield* serverOf(({ socket }) => void socket.destroy())
      // One of the names is never answered, as behind a packet filter.
      const resolve: Resolve = (name, done) => {
        if (name === "nowhere.example") done(new Error("no such name"))
      }
      const within = Duration.millis(300)
      for (const url of [
        "http://127.0.0.1:1/",
        silent.url,
        hangsUp.url,
        "http://nowhere.example/",
        "http://filtered.example/"
      ]) {
        const start = performance.now()
        const error = yield* Effect.flip(post(url, within)).pipe(resolving(resolve))
        assert.deepInclude(error, { _tag: "EgressFailed", reason: "did not answer", isRetryable: true }, url)
        assert.isAtLeast(performance.now() - start, 295, url)
      }
    }).pipe(Effect.scoped)
  )

  it.live("makes no call inside a database transaction, also a nested one", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serverOf((_, response) => response.end("hello"))
      const sql = yield* SqlClient.SqlClient
      yield* download(url)
      yield* post(url)
      for (const call of [
        Effect.asVoid(download(url)),
        Effect.asVoid(post(url)),
        Effect.asVoid(sql.withTransaction(download(url)))
      ]) {
        const exit = yield* Effect.exit(sql.withTransaction(call))
        assert.include(String(exit), "A URL was called inside a database transaction")
      }
      assert.strictEqual(requests(), 2)
    }).pipe(Effect.provide(Layer.provideMerge(development, layerTestDatabase("cases"))), Effect.scoped)
  )

  it.live("names whose servers do not answer delay no other name, file or hash", () =>
    Effect.gen(function* () {
      // A name server that never answers. It gets more look-ups than the process has threads.
      const silent = yield* Effect.acquireRelease(
        Effect.callback<Socket>((resume) => {
          const socket = createSocket("udp4").bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
        }),
        (socket) => Effect.sync(() => socket.close())
      )
      const { url } = yield* serverOf((_, response) => response.end("hello"))
      const resolve = makeResolve([`127.0.0.1:${silent.address().port}`])
      const firstQuery = Effect.callback<void>((resume) => {
        silent.once("message", () => resume(Effect.void))
      })
      yield* Effect.gen(function* () {
        const hanging = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, index) => index),
          (index) => Effect.forkChild(Effect.flip(download(`http://silent${index}.example/`)))
        )
        yield* firstQuery
        const { bytes } = yield* download(url.replace("127.0.0.1", "localhost"))
        assert.strictEqual(bytes.toString(), "hello")
        yield* Effect.promise(() => promisify(pbkdf2)("a", "b", 1, 8, "sha256"))
        for (const fiber of hanging) assert.isUndefined(fiber.pollUnsafe())
        yield* Fiber.interruptAll(hanging)
      }).pipe(resolving(resolve))
    }).pipe(Effect.scoped)
  )
})
