import type { Socket } from "node:net"
import { exchange, rawRequest, untilClosed } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { mebibyte } from "../mebibyte.ts"
import { ask, begin, head, parse, whileTimePasses } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { keys } from "../testing/Upstream.ts"

const key = `cv-api-key: ${keys.one}`
const form = "/api/v1/customer-dynamic-case-form"

const post = (url: string, body: string | Buffer | ReadableStream, key?: string) =>
  ask(url, { method: "POST", body, duplex: "half", ...(key !== undefined && { key }) })

const spaces = Buffer.alloc(21 * mebibyte, " ")

const inPieces = (bytes: number): ReadableStream =>
  new ReadableStream({
    start: (controller) => {
      for (let sent = 0; sent < bytes; sent += mebibyte) {
        controller.enqueue(spaces.subarray(sent, Math.min(bytes, sent + mebibyte)))
      }
      controller.close()
    }
  })

it.live("413 names the size that the endpoint takes: 1 MiB, or 20 MiB where files are sent", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    for (const [path, mebibytes] of [
      ["/api/v1/cases", 1],
      ["/api/v1/users", 1],
      ["/api/v1/users/auth/send-otp", 1],
      ["/api/v1/dynamic-case", 20],
      [form, 20]
    ] as const) {
      const size = mebibytes * mebibyte
      for (const body of [spaces.subarray(0, size + 1), inPieces(size + 64 * 1024)]) {
        const refused = yield* post(`${url}${path}`, body, keys.one)
        const error = `Request body is larger than ${mebibytes} MiB`
        assert.deepStrictEqual([refused.status, refused.json], [413, { status: 413, success: false, error }], path)
      }
      const full = Buffer.concat([Buffer.from('{"action":"UPDATE_EMAIL"}'), spaces], size)
      assert.deepStrictEqual((yield* post(`${url}${path}`, full, keys.one)).json, { length: size }, path)
    }
  })
)

it.live("a body of the size that fits arrives as it was sent, however it comes", () =>
  Effect.gen(function* () {
    const { targets, url } = yield* runGateway()
    const bodies = ["", "{}", "x".repeat(70_000)]
    for (const path of ["/api/v1/cases", "/api/v1/dynamic-case"]) {
      for (const body of bodies) {
        assert.deepStrictEqual((yield* post(`${url}${path}`, body, keys.one)).json, { length: body.length })
      }
      assert.deepStrictEqual((yield* post(`${url}${path}`, inPieces(128 * 1024), keys.one)).json, {
        length: 128 * 1024
      })
    }
    assert.lengthOf(targets, 8)
    const announced = rawRequest("GET", "/api/v1/customer-latest-case-id", [key, "content-length: 5"])
    assert.strictEqual(parse(yield* exchange(url, `${announced}12345`)).status, 200)
  })
)

it.effect("bodies without a key in the header take no more memory than there is for them, and give it back", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ environment: { BODY_MEMORY_MIB: "16" } })
    const large = spaces.subarray(0, 20 * mebibyte)
    const keyed = Buffer.alloc(3 * mebibyte, 32)
    keyed.write(`{"key":"${keys.one}"}`)
    const hangUp = (held: ReadonlyArray<Socket>) =>
      Effect.sync(() => {
        for (const socket of held) socket.destroy()
      })
    const wait = (held: ReadonlyArray<Socket>) =>
      whileTimePasses(Effect.forEach(held, untilClosed, { concurrency: "unbounded" }))
    assert.strictEqual((yield* post(`${url}${form}`, large)).status, 503)
    for (const end of [hangUp, wait]) {
      const hold = begin(url, head(form, 3 * mebibyte) + "x".repeat(2 * mebibyte))
      let held: ReadonlyArray<Socket> = yield* Effect.all([hold, hold, hold])
      const fill = Effect.gen(function* () {
        // A connection that was refused because the memory was full tries again.
        held = yield* Effect.forEach(held, (socket) => (socket.bytesRead === 0 ? Effect.succeed(socket) : hold))
        return yield* post(`${url}${form}`, keyed)
      })
      const full = yield* Effect.repeat(fill, { until: ({ status }) => status !== 200 })
      assert.strictEqual(full.status, 503)
      assert.deepInclude(full.json, { status: 503, success: false, message: "Service unavailable" })
      assert.deepStrictEqual((yield* post(`${url}${form}`, large, keys.one)).json, { length: large.length })
      yield* end(held)
      const free = yield* Effect.repeat(post(`${url}${form}`, keyed), { until: ({ status }) => status !== 503 })
      assert.deepStrictEqual(free.json, { length: keyed.length })
    }
  })
)
