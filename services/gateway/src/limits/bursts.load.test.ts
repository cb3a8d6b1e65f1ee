import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { connection, rawRequest, until, untilClosed } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, parse } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { type Handle, keys } from "../testing/Upstream.ts"

const path = "/api/v1/promo-codes?code=x"

const statusOf = (url: string, key: string) => Effect.map(ask(url + path, { key }), ({ status }) => status)

/** Starts a gateway with a service that answers each request when the test says so. */
const makeHeld = Effect.fnUntraced(function* (environment: Readonly<Record<string, string>> = {}) {
  const held: Array<ServerResponse> = []
  let isQuick = false
  const answer = (response: ServerResponse) => response.writeHead(200, { "content-type": "application/json" }).end("{}")
  const handle: Handle = (request, response) => {
    if (isQuick || request.headers["x-quick"] !== undefined) answer(response)
    else held.push(response)
  }
  const { url } = yield* runGateway({ handle, environment })
  const release = Effect.sync(() => {
    isQuick = true
    for (const response of held.splice(0)) answer(response)
  })
  return { url, held, release }
})

const begin = (url: string, key: string) =>
  Effect.tap(connection(url), (socket) =>
    Effect.sync(() => socket.write(rawRequest("GET", path, [`cv-api-key: ${key}`])))
  )

it.live("80 quick concurrent requests are all answered, and so are those of another organization", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({
      handle: (_, response) => {
        setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end("{}"), 20)
      }
    })
    const [burst, bystander] = yield* Effect.all(
      [
        Effect.replicateEffect(statusOf(url, keys.one), 80, { concurrency: "unbounded" }),
        Effect.replicateEffect(statusOf(url, keys.two), 20, { concurrency: "unbounded" })
      ],
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(burst, Array(80).fill(200))
    assert.deepStrictEqual(bystander, Array(20).fill(200))
  })
)

it.live("a request that waits for 2 seconds in vain is refused, and delays no other caller's", () =>
  Effect.gen(function* () {
    const { held, release, url } = yield* makeHeld()
    const first = yield* Effect.replicateEffect(begin(url, keys.one), 64)
    yield* until(
      Effect.sync(() => held.length),
      (count) => count === 64
    )
    const began = performance.now()
    const late = yield* Effect.replicateEffect(begin(url, keys.one), 16)
    const quick = { key: keys.two, headers: { "x-quick": "1" } }
    for (let count = 0; count < 5; count += 1) assert.strictEqual((yield* ask(url + path, quick)).status, 200)
    assert.isBelow(performance.now() - began, 2000)
    const refused = yield* Effect.forEach(late, untilClosed, { concurrency: "unbounded" })
    assert.deepStrictEqual(
      refused.map((text) => parse(text).status),
      Array(16).fill(429)
    )
    assert.isAtLeast(performance.now() - began, 1900)
    assert.lengthOf(held, 64)
    yield* release
    const answers = yield* Effect.forEach(first, untilClosed, { concurrency: "unbounded" })
    assert.deepStrictEqual(
      answers.map((text) => parse(text).status),
      Array(64).fill(200)
    )
  })
)

it.live("at most four times as many requests wait as are answered: the next is refused immediately", () =>
  Effect.gen(function* () {
    const { held, release, url } = yield* makeHeld({ REQUESTS_AT_ONCE: "2" })
    const callers = yield* Effect.replicateEffect(begin(url, keys.one), 11)
    const isRefused = Effect.sync(() => callers.filter(({ bytesRead }) => bytesRead > 0).length)
    assert.strictEqual(yield* until(isRefused, (count) => count > 0), 1)
    assert.lengthOf(held, 2)
    yield* release
    const answers = yield* Effect.forEach(callers, untilClosed, { concurrency: "unbounded" })
    assert.deepStrictEqual(answers.map((text) => parse(text).status).sort(), [...Array(10).fill(200), 429])
  })
)

it.live("a request whose caller hangs up while it waits keeps no slot, and never reaches the service", () =>
  Effect.gen(function* () {
    const { held, release, url } = yield* makeHeld({ REQUESTS_AT_ONCE: "4" })
    const heldUntil = (isThere: (held: ReadonlyArray<ServerResponse>) => boolean) =>
      until(
        Effect.sync(() => held),
        isThere
      )
    // When it is answered, everything sent before over other connections has been read.
    const roundTrips = Effect.replicateEffect(ask(url + path, { key: keys.two, headers: { "x-quick": "1" } }), 5)
    const hangUp = (sockets: ReadonlyArray<Socket>) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
      })
    for (let round = 0; round < 3; round += 1) {
      const first = yield* Effect.replicateEffect(begin(url, keys.one), 4)
      yield* heldUntil(({ length }) => length === 4)
      const waiting = yield* Effect.replicateEffect(begin(url, keys.one), 16)
      yield* roundTrips
      yield* hangUp(waiting)
      yield* roundTrips
      yield* hangUp(first)
      yield* heldUntil((responses) => responses.every(({ closed }) => closed))
      assert.lengthOf(held.splice(0), 4)
    }
    yield* release
    const statuses = yield* Effect.replicateEffect(statusOf(url, keys.one), 20, { concurrency: "unbounded" })
    assert.deepStrictEqual(statuses, Array(20).fill(200))
  })
)
