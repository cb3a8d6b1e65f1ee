import { until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { at930, booking, listOf, monday, startScheduling, token } from "../../test/scheduling.ts"

const started = Effect.gen(function* () {
  yield* TestClock.setTime(monday)
  const provider = yield* startScheduling()
  const { get, url } = provider
  const booked = Effect.map(
    get(`/scheduled_events?organization=${url}/organizations/org_demo&invitee_email=maria@example.com`),
    (answer) => listOf(answer).collection.length
  )
  return { ...provider, booked }
})

/** How a request that is never answered, or ends with its connection, ends for whoever asked. */
const lost = (url: string, isDone: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const asking = new AbortController()
    const asked = yield* Effect.promise(() =>
      fetch(`${url}/invitees`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(booking(url)),
        signal: asking.signal
      }).then(
        ({ status }) => String(status),
        (error: Error) => error.name
      )
    ).pipe(Effect.forkChild)
    yield* isDone
    asking.abort()
    return yield* Fiber.join(asked)
  })

const silent: ReadonlyArray<readonly [does: "timeOutAfter" | "timeOutBefore", bookings: number]> = [
  ["timeOutBefore", 0],
  ["timeOutAfter", 1]
]

for (const [does, bookings] of silent) {
  it.effect(`${does}: nobody hears of ${bookings} booking`, () =>
    Effect.gen(function* () {
      const { book, booked, control, url } = yield* started
      yield* control.addTrouble({ method: "POST", path: "/invitees", does })
      const came = until(control.requests, (requests) => requests.some(({ method }) => method === "POST"))
      assert.strictEqual(yield* lost(url, came), "AbortError")
      assert.strictEqual(yield* booked, bookings)
      assert.strictEqual((yield* book({ start_time: at930 })).status, 201)
    }).pipe(Effect.scoped)
  )
}

const brokenOff: ReadonlyArray<readonly [does: "hangUpAfter" | "hangUpBefore", bookings: number]> = [
  ["hangUpBefore", 0],
  ["hangUpAfter", 1]
]

for (const [does, bookings] of brokenOff) {
  it.effect(`${does}: the connection ends with ${bookings} booking`, () =>
    Effect.gen(function* () {
      const { booked, control, url } = yield* started
      yield* control.addTrouble({ path: "/invitees", does })
      const [ended] = yield* Effect.promise(() =>
        Promise.allSettled([
          fetch(`${url}/invitees`, {
            method: "POST",
            headers: { authorization: `Bearer ${token}` },
            body: JSON.stringify(booking(url))
          })
        ])
      )
      assert.strictEqual(ended.status, "rejected")
      assert.strictEqual(yield* booked, bookings)
    }).pipe(Effect.scoped)
  )
}

const answered: ReadonlyArray<
  readonly [does: "failAfter" | "failBefore" | "rateLimit", status: number, bookings: number]
> = [
  ["failBefore", 500, 0],
  ["failAfter", 500, 1],
  ["rateLimit", 429, 0]
]

for (const [does, status, bookings] of answered) {
  it.effect(`${does}: ${status}, with ${bookings} booking, as often as it is asked for`, () =>
    Effect.gen(function* () {
      const { book, booked, control } = yield* started
      yield* control.addTrouble({ path: "/invitees", does, millis: 7000, times: 1 })
      const answer = yield* book()
      assert.strictEqual(answer.status, status)
      assert.containsAllKeys(answer.body, ["title", "message"])
      if (does === "rateLimit") {
        assert.strictEqual(answer.headers.get("retry-after"), "7")
        assert.strictEqual(answer.headers.get("x-ratelimit-reset"), "7")
        assert.strictEqual(answer.headers.get("x-ratelimit-remaining"), "0")
      }
      assert.strictEqual(yield* booked, bookings)
      assert.strictEqual((yield* book({ start_time: at930 })).status, 201)
    }).pipe(Effect.scoped)
  )
}

it.effect("a slow answer comes when it was asked for, of the path that was named, and troubles can be cleared", () =>
  Effect.gen(function* () {
    const { book, control, get } = yield* started
    yield* control.addTrouble({ path: "/scheduled_events/*/cancellation", does: "failBefore" })
    yield* control.addTrouble({ method: "GET", path: "/event_types/*", does: "delay", millis: 120 })
    const began = performance.now()
    assert.strictEqual((yield* get("/event_types/et_demo_30min")).status, 200)
    assert.isAtLeast(performance.now() - began, 110)
    yield* control.addTrouble({ path: "/invitees", does: "failBefore", times: 5 })
    yield* control.clearTroubles
    assert.strictEqual((yield* book()).status, 201)
  }).pipe(Effect.scoped)
)

it.effect(
  "every answer says how many requests are left, and over the limit there are none for the rest of the minute",
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(monday)
      const { control, get } = yield* startScheduling({ limit: 2 })
      const ask = Effect.map(get("/users/me"), ({ headers, status }) => [
        status,
        ...["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`))
      ])
      assert.deepStrictEqual(yield* ask, [200, "2", "1", "60"])
      yield* control.requests
      yield* TestClock.adjust("20500 millis")
      assert.deepStrictEqual(yield* ask, [200, "2", "0", "40"])
      assert.deepStrictEqual(yield* ask, [429, "2", "0", "40"])
      assert.isNull((yield* get("/users/me")).headers.get("retry-after"))
      yield* TestClock.adjust("39500 millis")
      assert.deepStrictEqual(yield* ask, [200, "2", "1", "60"])
    }).pipe(Effect.scoped)
)
