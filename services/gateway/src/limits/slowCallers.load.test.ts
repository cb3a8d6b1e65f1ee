import type { Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { untilClosed } from "@care/service-kit/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { ask, begin, head, parse, whileTimePasses } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { keys } from "../testing/Upstream.ts"

const key = `cv-api-key: ${keys.one}`

const create = (url: string, apiKey: string) => ask(`${url}/api/v1/cases`, { method: "POST", key: apiKey, body: "{}" })

// Sends a text in small pieces until it is sent or an answer comes. After the answer the connection is closed.
const trickle = (socket: Socket, text: string, pieceBytes: number, millis: number) =>
  Effect.promise(async () => {
    for (let sent = 0; sent < text.length && socket.writable && socket.bytesRead === 0; sent += pieceBytes) {
      socket.write(text.slice(sent, sent + pieceBytes))
      await pause(millis)
    }
  })

const paths = ["/api/v1/dynamic-case", "/api/v1/cases", "/api/v1/users"]

const onEveryPath = <A, E, R>(test: (path: string) => Effect.Effect<A, E, R>) =>
  Effect.forEach(paths, test, { concurrency: "unbounded", discard: true })

// Concurrent, because each test waits, on a gateway of its own.
describe.concurrent("slow callers", () => {
  it.effect(
    "130 bodies of one organization that never arrive delay no other: 429 beyond its limit, and 408 in time",
    () =>
      onEveryPath((path) =>
        Effect.gen(function* () {
          const environment = { REQUEST_TIME_LIMIT: "30 seconds", BODY_GRACE: "60 seconds" }
          const { url } = yield* runGateway({ environment })
          const slow = yield* Effect.forEach(Array(130).keys(), () => begin(url, `${head(path, 100, [key])}{`))
          const answers = yield* Effect.forkChild(Effect.forEach(slow, untilClosed, { concurrency: "unbounded" }))
          for (let count = 0; count < 20; count += 1) assert.strictEqual((yield* create(url, keys.two)).status, 200)
          // Those over the limit wait for 2 seconds.
          const open = Effect.sync(() => slow.filter(({ closed }) => !closed).length)
          yield* Effect.repeat(
            Effect.andThen(
              TestClock.adjust("100 millis"),
              Effect.andThen(
                Effect.promise(() => pause(5)),
                open
              )
            ),
            { until: (count) => count === 64 }
          )

          const outcomes = (yield* whileTimePasses(Fiber.join(answers))).map(parse)
          const tooSlow = outcomes.filter(({ status }) => status === 408)
          const tooMany = outcomes.filter(({ status }) => status === 429)
          assert.deepStrictEqual([tooSlow.length, tooMany.length], [64, 66])
          assert.deepStrictEqual(tooSlow[0]?.json, {
            status: 408,
            success: false,
            error:
              "Request body was not received in time: it has to come within 30 seconds, and at 1024 bytes a second at least"
          })
          assert.deepStrictEqual(tooMany[0]?.json, {
            status: 429,
            success: false,
            error: "Rate limit exceeded",
            message: "At most 64 requests are answered at a time. Try again when one of them is answered.",
            retryAfter: 1
          })
          assert.strictEqual((yield* create(url, keys.one)).status, 200)
        })
      ).pipe(Effect.scoped)
  )

  it.live("408 for a body that comes below the minimum rate; one that is slow but above it is received", () =>
    onEveryPath((path) =>
      Effect.gen(function* () {
        const environment = { BODY_GRACE: "1 second", BODY_MIN_RATE: "4096", REQUEST_TIME_LIMIT: "10 minutes" }
        const { url } = yield* runGateway({ environment })
        const body = JSON.stringify({ action: "UPDATE_EMAIL", filler: "x".repeat(48_000) })
        const send = (pieceBytes: number) =>
          Effect.gen(function* () {
            const socket = yield* begin(url, head(path, body.length, [key]))
            const answer = yield* Effect.forkChild(untilClosed(socket))
            yield* trickle(socket, body, pieceBytes, 50)
            return parse(yield* Fiber.join(answer)).status
          })
        const statuses = yield* Effect.all([send(40), send(1600)], { concurrency: "unbounded" })
        assert.deepStrictEqual(statuses, [408, 200])
      })
    )
  )

  it.live(
    "200 heads and bodies that come byte by byte, where no body is read, delay nobody: 408 for the heads, and all are closed in time",
    () =>
      Effect.gen(function* () {
        const { url } = yield* runGateway({ environment: { REQUEST_TIME_LIMIT: "6 seconds" } })
        const targets = [
          "GET /docs",
          "GET /status",
          "GET /openapi.json",
          "GET /api/v1/request-logs",
          "HEAD /api/v1/products",
          "OPTIONS /api/v1/cases"
        ]
        const slow = yield* Effect.forEach(
          targets.flatMap((target) => Array.from({ length: 17 }, () => target)),
          (target) => {
            const text = `${target} HTTP/1.1\r\nhost: test\r\n${key}\r\ncontent-length: 1000\r\nx-filler: `
            return Effect.all([begin(url, text), begin(url, `${text}\r\n\r\n`)])
          }
        )
        const sockets = slow.flat()
        const dripping = yield* Effect.forkChild(
          Effect.forever(
            Effect.promise(async () => {
              for (const socket of sockets) if (socket.writable) socket.write("x")
              await pause(50)
            })
          )
        )
        const answers = yield* Effect.forkChild(
          Effect.forEach(slow, (pair) => Effect.forEach(pair, untilClosed), { concurrency: "unbounded" })
        )
        for (let count = 0; count < 20; count += 1) {
          assert.strictEqual((yield* create(url, keys.two)).status, 200)
          assert.strictEqual((yield* ask(`${url}/openapi.json`)).status, 200)
        }
        assert.isTrue(sockets.some(({ closed }) => !closed))
        for (const [head = "", body = ""] of yield* Fiber.join(answers)) {
          assert.deepInclude(parse(head), { status: 408 })
          assert.isBelow(parse(body).status, 500)
        }
        yield* Fiber.interrupt(dripping)
      }).pipe(Effect.scoped)
  )

  it.live(
    "a request without a valid key is refused before its body, reaches no service, and cannot hold the connection",
    () =>
      Effect.gen(function* () {
        const { targets, url } = yield* runGateway({ environment: { REQUEST_TIME_LIMIT: "3 seconds" } })
        assert.strictEqual((yield* create(url, keys.one)).status, 200)
        const reached = ["POST /api/v1/cases"]
        assert.deepStrictEqual(targets, reached)
        const attempts: ReadonlyArray<readonly [number, string]> = [
          [401, head("/api/v1/cases", 100)],
          [401, head("/api/v1/dynamic-case", 20_000_000, ["cv-api-key: cv_wrong"])],
          [401, head("/api/v1/users", 1_000_000, ["cv-api-key: cv_wrong"])],
          [401, head("/api/v1/users", 100, ["cv-api-key: cv_wrong"])],
          [401, head("/admin/v1/organizations", 100)],
          [400, head("/api/v1/users/auth/send-otp", 100)],
          [408, head("/api/v1/customer-dynamic-case-form", 20_000_000)]
        ]
        yield* Effect.forEach(
          attempts,
          Effect.fnUntraced(function* ([status, text]) {
            for (const request of [text, text.replace("connection: close", "connection: keep-alive")]) {
              assert.strictEqual(parse(yield* Effect.flatMap(begin(url, request), untilClosed)).status, status, text)
            }
          }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(targets, reached)
      })
  )
})
