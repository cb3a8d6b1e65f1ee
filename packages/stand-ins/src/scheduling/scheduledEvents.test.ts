import { assert } from "@effect/vitest"
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
  startScheduling,
  testWith
} from "../../test/scheduling.ts"

const started = Effect.gen(function* () {
  yield* TestClock.setTime(monday)
  const provider = yield* startScheduling()
  const { control, get, url } = provider
  const starts = (query: string, owner = `organization=${url}/organizations/org_demo`) =>
    Effect.map(get(`/scheduled_events?${owner}&${query}`), (answer) =>
      collectionIn(answer).collection.map(({ start_time }) => String(start_time).replace(".000000Z", "Z"))
    )
  const take = (startTime: string, email?: string, type = "et_demo_30min") =>
    Effect.map(control.takeSlot(type, startTime, email), ({ event }) => idOf(event.uri))
  return { ...provider, starts, take }
})

const test = testWith(started)

test("events are filtered by owner, invitee, time and status", function* ({ control, starts, take, url }) {
  yield* take(at930, "maria@example.com")
  const canceled = yield* take(at9, "Maria@Example.com")
  yield* take(at10, "ana@example.com")
  yield* take("2026-06-08T13:00:00Z", "tom@example.com", "et_demo_london_30min")
  yield* control.cancel(canceled, "invitee")

  assert.deepStrictEqual(yield* starts(""), [at9, at9, at930, at10])
  assert.deepStrictEqual(yield* starts("sort=start_time:desc&count=2"), [at10, at930])
  assert.deepStrictEqual(yield* starts("", `user=${url}/users/usr_demo_london`), [at9])
  assert.deepStrictEqual(yield* starts("invitee_email=MARIA@example.com"), [at9, at930])
  assert.deepStrictEqual(yield* starts("invitee_email=maria@example.com&status=active"), [at930])
  assert.deepStrictEqual(yield* starts("status=canceled"), [at9])
  assert.deepStrictEqual(yield* starts(`min_start_time=${at930}`), [at930, at10])
  assert.deepStrictEqual(yield* starts(`max_start_time=${at930}&invitee_email=maria@example.com`), [at9, at930])
  assert.deepStrictEqual(yield* starts("invitee_email=nobody@example.com"), [])
})

test("pages continue where they ended, whatever is booked and canceled meanwhile", function* ({
  control,
  get,
  take,
  url
}) {
  const first = yield* take(at9)
  for (const start of [at930, at10, "2026-06-08T14:30:00Z", "2026-06-08T15:00:00Z"]) yield* take(start)
  const page = (query: string) =>
    Effect.map(get(`/scheduled_events?user=${url}/users/usr_demo&status=active&count=2${query}`), collectionIn)
  const whole = yield* page("")
  assert.strictEqual(whole.pagination?.count, 2)
  yield* control.cancel(first, "host")
  const token = whole.pagination?.next_page_token
  const two = yield* page(`&page_token=${token}`)
  assert.deepStrictEqual(
    two.collection.map(({ start_time }) => start_time),
    ["2026-06-08T14:00:00.000000Z", "2026-06-08T14:30:00.000000Z"]
  )
  const three = collectionIn(yield* get(two.pagination?.next_page ?? ""))
  assert.lengthOf(three.collection, 1)
  assert.deepStrictEqual(three.pagination, { count: 1, next_page: null, next_page_token: null })
  const backwards = yield* page("&sort=start_time:desc")
  const lastPage = yield* page(`&sort=start_time:desc&page_token=${backwards.pagination?.next_page_token}`)
  assert.deepStrictEqual(
    [...backwards.collection, ...lastPage.collection].map(({ uri }) => uri),
    [...two.collection, ...three.collection, ...whole.collection]
      .filter(({ uri }) => idOf(uri) !== first)
      .map(({ start_time, uri }) => [String(start_time), uri] as const)
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([, uri]) => uri)
  )
  for (const wrong of ["&page_token=!", "&count=101", "&sort=name:asc", "&status=done", "&min_start_time=2026-06-08"]) {
    assert.strictEqual((yield* get(`/scheduled_events?user=${url}/users/usr_demo${wrong}`)).status, 400, wrong)
  }
  assert.strictEqual((yield* get("/scheduled_events")).status, 400)
  assert.strictEqual((yield* get(`/scheduled_events?user=${url}/users/usr_none`)).status, 403)
})

test("an event lists its invitee", function* ({ get, take }) {
  const event = yield* take(at9, "maria@example.com")
  const emails = (query: string) =>
    Effect.map(get(`/scheduled_events/${event}/invitees?${query}`), (answer) =>
      collectionIn(answer).collection.map(({ email }) => email)
    )
  assert.deepStrictEqual(yield* emails(""), ["maria@example.com"])
  assert.deepStrictEqual(yield* emails("email=MARIA@example.com&status=active"), ["maria@example.com"])
  assert.deepStrictEqual(yield* emails("email=ana@example.com"), [])
  assert.deepStrictEqual(yield* emails("status=canceled"), [])
  for (const path of ["none", "none/invitees", `${event}/invitees/none`]) {
    assert.deepInclude(yield* get(`/scheduled_events/${path}`), { status: 404 })
  }
})

test("an event is canceled once, and not after it has begun", function* ({ get, post, take }) {
  const event = yield* take(at9)
  const answer = yield* post(`/scheduled_events/${event}/cancellation`, { reason: "The doctor is ill" })
  assert.strictEqual(answer.status, 201)
  const cancellation = {
    canceled_by: "Dr. Jane Rivera",
    reason: "The doctor is ill",
    canceler_type: "host",
    created_at: "2026-06-08T12:00:00.000000Z"
  }
  assert.deepStrictEqual(resourceIn(answer), cancellation)
  assert.deepInclude(resourceIn(yield* get(`/scheduled_events/${event}`)), { status: "canceled", cancellation })
  const [invitee] = collectionIn(yield* get(`/scheduled_events/${event}/invitees`)).collection
  assert.deepInclude(invitee, { status: "canceled", rescheduled: false, cancellation })

  const repeated = yield* post(`/scheduled_events/${event}/cancellation`, {})
  assert.strictEqual(repeated.status, 403)
  assert.deepStrictEqual(repeated.body, { title: "Permission Denied", message: "Event is already canceled" })
  assert.strictEqual((yield* post("/scheduled_events/none/cancellation", {})).status, 404)
  const other = yield* take(at930)
  assert.strictEqual((yield* post(`/scheduled_events/${other}/cancellation`, { reason: 1 })).status, 400)
  yield* TestClock.setTime(Date.parse(at930))
  const late = yield* post(`/scheduled_events/${other}/cancellation`, {})
  assert.deepStrictEqual([late.status, late.body], [403, { title: "Permission Denied", message: "Event in the past" }])
})

test("a rescheduled event is another one: each refers to the other, and the old slot is free", function* ({
  book,
  control,
  get,
  take
}) {
  const event = yield* take(at9, "maria@example.com")
  yield* take(at10)
  const moved = yield* control.reschedule(event, "invitee", at930, "Asia/Kolkata")
  assert.strictEqual(moved.invitee.timezone, "Asia/Kolkata")
  assert.deepInclude(moved.event, { status: "active", start_time: "2026-06-08T13:30:00.000000Z" })
  assert.notStrictEqual(idOf(moved.event.uri), event)
  const [old] = collectionIn(yield* get(`/scheduled_events/${event}/invitees`)).collection
  assert.deepInclude(old, { status: "canceled", rescheduled: true, new_invitee: moved.invitee.uri })
  assert.strictEqual(old?.["timezone"], "America/New_York")
  assert.deepInclude(moved.invitee, {
    email: "maria@example.com",
    rescheduled: false,
    old_invitee: String(old?.["uri"]),
    new_invitee: null
  })
  assert.strictEqual((yield* book({ start_time: at9 })).status, 201)
  for (const start of [at10, "2026-06-07T13:00:00Z"]) {
    const refused = yield* Effect.exit(control.reschedule(idOf(moved.event.uri), "host", start))
    assert.isTrue(refused._tag === "Failure")
  }
  assert.deepInclude(resourceIn(yield* get(moved.event.uri)), { status: "active" })
})
