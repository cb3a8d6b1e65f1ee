import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at930, collectionIn, monday, startScheduling, testWith } from "../../test/scheduling.ts"

const started = Effect.gen(function* () {
  yield* TestClock.setTime(monday)
  const provider = yield* startScheduling()
  const { get, url } = provider
  const booked = Effect.map(
    get(`/scheduled_events?organization=${url}/organizations/org_demo&invitee_email=maria@example.com`),
    (answer) => collectionIn(answer).collection.length
  )
  return { ...provider, booked }
})

const test = testWith(started)

const responses: ReadonlyArray<
  readonly [does: "failAfter" | "failBefore" | "rateLimit", status: number, bookings: number]
> = [
  ["failBefore", 500, 0],
  ["failAfter", 500, 1],
  ["rateLimit", 429, 0]
]

for (const [does, status, bookings] of responses) {
  test(`${does}: ${status}, with ${bookings} booking, at each repetition`, function* ({ book, booked, control }) {
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
  })
}

test("a slow answer comes after its delay, for its path only, and troubles can be cleared", function* ({
  book,
  control,
  get
}) {
  yield* control.addTrouble({ path: "/scheduled_events/*/cancellation", does: "failBefore" })
  yield* control.addTrouble({ method: "GET", path: "/event_types/*", does: "delay", millis: 120 })
  const began = performance.now()
  assert.strictEqual((yield* get("/event_types/et_demo_30min")).status, 200)
  assert.isAtLeast(performance.now() - began, 110)
  yield* control.addTrouble({ path: "/invitees", does: "failBefore", times: 5 })
  yield* control.clearTroubles
  assert.strictEqual((yield* book()).status, 201)
})

it.effect(
  "every answer says how many requests are left, and over the limit all are refused for the rest of the minute",
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(monday)
      const { control, get } = yield* startScheduling({ limit: 2 })
      const getUser = Effect.map(get("/users/me"), ({ headers, status }) => [
        status,
        ...["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`))
      ])
      assert.deepStrictEqual(yield* getUser, [200, "2", "1", "60"])
      yield* control.requests
      yield* TestClock.adjust("20500 millis")
      assert.deepStrictEqual(yield* getUser, [200, "2", "0", "40"])
      assert.deepStrictEqual(yield* getUser, [429, "2", "0", "40"])
      assert.isNull((yield* get("/users/me")).headers.get("retry-after"))
      yield* TestClock.adjust("39500 millis")
      assert.deepStrictEqual(yield* getUser, [200, "2", "1", "60"])
    }).pipe(Effect.scoped)
)
