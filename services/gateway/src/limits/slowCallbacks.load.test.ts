import type { Socket } from "node:net"
import { connection, exchange, rawRequest, until, untilClosed } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, head, parse } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { keys } from "../testing/Upstream.ts"

const callbacks = ["/webhooks/stripe", "/webhooks/pharmacy", "/webhooks/scheduling"]

const stripePath = "/webhooks/stripe"

/** Begins a callback without a body, from an address of this machine and without credentials. */
const beginSlowly = (url: string, index: number, localAddress: string, headers: ReadonlyArray<string> = []) =>
  Effect.tap(connection(url, localAddress), (socket) =>
    Effect.sync(() => socket.write(`${head(callbacks[index % 3] ?? stripePath, 1000, headers)}{`))
  )

const event = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  ask(url + stripePath, {
    method: "POST",
    body: '{"id":"evt_1"}',
    headers: { "stripe-signature": "t=1,v1=x", ...headers }
  })

/** Sends 20 signed events and 20 requests of a partner, and returns the statuses of the answers. */
const requestOthers = (url: string, headers?: Readonly<Record<string, string>>) =>
  Effect.forEach(
    Array(40).keys(),
    (index) =>
      Effect.map(
        index % 2 === 0 ? event(url, headers) : ask(`${url}/api/v1/promo-codes?code=x`, { key: keys.one }),
        ({ status }) => status
      ),
    { concurrency: 10 }
  )

const allAnswered = Array(40).fill(200)

const countOpen = (sockets: ReadonlyArray<Socket>) => sockets.filter(({ closed }) => !closed).length

const noTimeouts = { REQUEST_TIME_LIMIT: "10 minutes", BODY_GRACE: "10 minutes" }

it.live("500 callbacks from 100 addresses whose bodies never arrive take no slots at a service", () =>
  Effect.gen(function* () {
    const { targets, url } = yield* runGateway({ environment: noTimeouts })
    const slow = yield* Effect.forEach(Array(500).keys(), (index) => beginSlowly(url, index, `127.0.1.${index % 100}`))
    assert.deepStrictEqual(yield* requestOthers(url), allAnswered)
    assert.strictEqual(countOpen(slow), 500)
    assert.lengthOf(targets, 40)
  })
)

it.live("behind a trusted proxy the addresses of callers are those that it forwards", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ environment: { ...noTimeouts, TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" } })
    const from = (index: number) => [`x-forwarded-for: 10.0.0.1, 198.51.100.${index % 100}, 10.0.0.9`]
    const slow = yield* Effect.forEach(Array(500).keys(), (index) => beginSlowly(url, index, "127.0.0.1", from(index)))
    assert.deepStrictEqual(yield* requestOthers(url, { "x-forwarded-for": "203.0.113.7" }), allAnswered)
    assert.strictEqual(countOpen(slow), 500)
  })
)

it.live("one address has its share and no more, whatever X-Forwarded-For it invents", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({
      environment: { ...noTimeouts, REQUESTS_AT_ONCE: "8", TRUSTED_PROXIES: "10.0.0.0/8" }
    })
    const slow = yield* Effect.forEach(Array(12).keys(), (index) =>
      beginSlowly(url, 0, "127.0.0.9", [`x-forwarded-for: 198.51.100.${index}`])
    )
    const refused = yield* Effect.forEach(slow.slice(8), untilClosed, { concurrency: "unbounded" })
    assert.deepStrictEqual(
      refused.map((text) => parse(text).status),
      [429, 429, 429, 429]
    )
    assert.strictEqual(countOpen(slow), 8)
    assert.deepStrictEqual(yield* requestOthers(url), allAnswered)
  })
)

it.live("a trusted proxy has as many connections as there are; those whose requests it passes on share them", () =>
  Effect.gen(function* () {
    const environment = { ...noTimeouts, MAX_CONNECTIONS: "40", TRUSTED_PROXIES: "127.0.0.1" }
    const { url } = yield* runGateway({ environment })
    const forwardedFor = (address: string) => [`x-forwarded-for: ${address}`]
    const slow = yield* Effect.forEach(Array(30).keys(), () =>
      beginSlowly(url, 0, "127.0.0.1", forwardedFor("198.51.100.1"))
    )
    const refused = yield* Effect.forEach(slow.slice(20), untilClosed, { concurrency: "unbounded" })
    assert.deepStrictEqual(
      refused.map((text) => parse(text).status),
      Array(10).fill(429)
    )
    assert.strictEqual(countOpen(slow), 20)
    const request = rawRequest("GET", "/health/live", forwardedFor("198.51.100.2"))
    assert.strictEqual(parse(yield* exchange(url, request)).status, 200)
    for (const socket of slow) socket.destroy()
    const again = exchange(url, rawRequest("GET", "/health/live", forwardedFor("198.51.100.1")))
    assert.include(yield* Effect.repeat(again, { until: (text) => parse(text).status !== 429 }), "live")
  })
)

it.live("bodies of unverified callers leave half of the memory to verified ones", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway({ environment: { ...noTimeouts, BODY_MEMORY_MIB: "4" } })
    const slow = yield* Effect.forEach(Array(60).keys(), (index) =>
      Effect.tap(connection(url, `127.0.2.${index}`), (socket) =>
        Effect.sync(() => socket.write(head(stripePath, 900_000) + "x".repeat(200_000)))
      )
    )
    const refused = Effect.sync(() => slow.filter(({ bytesRead }) => bytesRead > 0).length)
    yield* until(refused, (count) => count > 30)
    const large = { method: "POST", key: keys.one, body: "x".repeat(900_000) }
    assert.strictEqual((yield* ask(`${url}/api/v1/cases`, large)).status, 200)
    assert.isAbove(countOpen(slow), 0)
  })
)
