import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  at9,
  at10,
  at930,
  collectionIn,
  idOf,
  monday,
  resourceIn,
  schedulingTest,
  startScheduling
} from "../../test/scheduling.ts"

it.effect("event types of a user or of the organization are listed by name and in pages", () =>
  Effect.gen(function* () {
    const { get, url } = yield* startScheduling()
    const me = resourceIn(yield* get("/users/me"))
    assert.deepInclude(me, {
      uri: `${url}/users/usr_demo`,
      current_organization: `${url}/organizations/org_demo`,
      timezone: "America/New_York"
    })
    assert.strictEqual(resourceIn(yield* get("/users/usr_demo_london"))["timezone"], "Europe/London")
    const ids = (query: string) =>
      Effect.map(get(`/event_types?${query}`), (answer) => collectionIn(answer).collection.map(({ uri }) => idOf(uri)))
    const all = [
      "et_demo_15min",
      "et_demo_30min",
      "et_demo_60min",
      "et_demo_london_30min",
      "et_demo_retired",
      "et_demo_shared_60min",
      "et_demo_single_30min"
    ]
    assert.deepStrictEqual(yield* ids(`organization=${me["current_organization"]}`), all)
    assert.deepStrictEqual(yield* ids(`user=${me["uri"]}&active=true`), all.slice(0, 3))
    assert.deepStrictEqual(yield* ids(`user=${me["uri"]}&active=false`), ["et_demo_retired"])
    assert.deepStrictEqual(
      yield* ids(`organization=${me["current_organization"]}&sort=name:desc&count=1`),
      all.slice(6)
    )

    const pages: Array<unknown> = []
    let next: string | null = `/event_types?organization=${me["current_organization"]}&count=3`
    while (next !== null) {
      const { collection, pagination } = collectionIn(yield* get(next))
      pages.push(collection.map(({ uri }) => idOf(uri)))
      next = pagination?.next_page ?? null
    }
    assert.deepStrictEqual(pages, [all.slice(0, 3), all.slice(3, 6), all.slice(6)])
  }).pipe(Effect.scoped)
)

it.effect("an event type shows its duration, its hosts and its locations", () =>
  Effect.gen(function* () {
    const { get, url } = yield* startScheduling()
    const type = resourceIn(yield* get("/event_types/et_demo_30min"))
    assert.deepInclude(type, { uri: `${url}/event_types/et_demo_30min`, active: true, duration: 30 })
    assert.deepInclude(type["profile"], { owner: `${url}/users/usr_demo` })
    assert.deepStrictEqual(type["locations"], [
      { kind: "google_conference" },
      { kind: "zoom_conference" },
      { kind: "gotomeeting_conference" },
      { kind: "microsoft_teams_conference" },
      { kind: "webex_conference" }
    ])
    assert.strictEqual((yield* get("/event_types/et_none")).status, 404)
    assert.strictEqual((yield* get("/users/usr_none")).status, 404)
  }).pipe(Effect.scoped)
)

it.effect("the owner of listed event types is required, and has to exist", () =>
  Effect.gen(function* () {
    const { get, url } = yield* startScheduling()
    for (const query of [
      "",
      "organization=org_demo",
      `user=${url}/organizations/org_demo`,
      `user=${url}/users/a&count=0`
    ]) {
      assert.strictEqual((yield* get(`/event_types?${query}`)).status, 400, query)
    }
    for (const query of [`user=${url}/users/usr_none`, `organization=${url}/organizations/org_none`]) {
      assert.strictEqual((yield* get(`/event_types?${query}`)).status, 403, query)
    }
  }).pipe(Effect.scoped)
)

schedulingTest(
  "open times are in the future and not booked, regardless of their host's other meetings",
  function* ({ book, control, openTimes }) {
    const open = (type?: string, until = "2026-06-08T14:30:00Z") =>
      Effect.map(openTimes("2026-06-08T12:00:01Z", until, type), (answer) =>
        collectionIn(answer).collection.map(({ start_time }) => start_time)
      )
    const [first] = collectionIn(yield* openTimes("2026-06-08T12:00:01Z", at930)).collection
    assert.deepStrictEqual(first, {
      status: "available",
      invitees_remaining: 1,
      start_time: at9,
      scheduling_url: `https://scheduling.example.com/jane-rivera/30min/${at9}`
    })
    assert.deepStrictEqual(yield* open(), [at9, at930, at10])
    const event = idOf(resourceIn(yield* book({ start_time: at930 }))["event"])
    assert.deepStrictEqual(yield* open(), [at9, at10])
    assert.deepStrictEqual(yield* open("et_demo_60min"), [at10])
    assert.deepStrictEqual(yield* open("et_demo_15min", at10), [at9, "2026-06-08T13:15:00Z"])
    assert.lengthOf(yield* open("et_demo_london_30min"), 4)
    assert.deepStrictEqual(yield* open("et_demo_retired"), [])
    yield* control.cancel(event, "invitee")
    assert.deepStrictEqual(yield* open(), [at9, at930, at10])

    yield* TestClock.setTime(Date.parse(at9))
    const later = collectionIn(yield* openTimes("2026-06-08T13:00:00.001Z", at10))
    assert.deepStrictEqual(
      later.collection.map(({ start_time }) => start_time),
      [at930]
    )
  }
)

const hour = 3_600_000
const later = (millis: number) => new Date(monday + millis).toISOString()

const refusals: ReadonlyArray<readonly [title: string, from: string, until: string, parameter: string]> = [
  ["begin now", later(0), later(hour), "start_time"],
  ["end when they begin", later(hour), later(hour), "end_time"],
  ["are more than 31 days", later(hour), later(hour + 31 * 24 * hour + 1), "end_time"],
  ["are in no time zone", "2026-06-08T13:00:00", later(hour), "start_time"],
  ["are no times", later(hour), "tomorrow", "end_time"]
]

for (const [title, from, until, parameter] of refusals) {
  schedulingTest(`open times are refused that ${title}`, function* ({ openTimes }) {
    const { body, status } = yield* openTimes(from, until)
    assert.strictEqual(status, 400)
    assert.include(JSON.stringify(body), `"details":[{"parameter":"${parameter}"`)
  })
}

schedulingTest("open times span at most 31 days, of an existing event type", function* ({ get, openTimes }) {
  const [from, until] = [later(hour), later(hour + 31 * 24 * hour)]
  assert.strictEqual((yield* openTimes(from, until)).status, 200)
  assert.strictEqual((yield* openTimes(from, until, "et_none")).status, 404)
  const missing = yield* get(`/event_type_available_times?start_time=${from}`)
  assert.deepInclude(missing.body, {
    details: [
      { parameter: "event_type", message: "is missing" },
      { parameter: "end_time", message: "is missing" }
    ]
  })
})
