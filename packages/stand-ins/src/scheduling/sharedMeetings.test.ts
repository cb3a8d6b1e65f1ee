import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { collectionIn, idOf, monday, resourceIn, startScheduling, testWith } from "../../test/scheduling.ts"

// The next Monday in London, so that its slots are ahead.
const slot = "2026-06-15T08:00:00Z"
const later = "2026-06-15T09:00:00Z"
const type = "et_demo_shared_60min"

const started = Effect.gen(function* () {
  yield* TestClock.setTime(monday)
  const provider = yield* startScheduling({ webhooks: [{ url: "http://127.0.0.1:1/", secret: "a-secret" }] })
  yield* provider.control.setDeliveryMode({ isHeld: true })
  const take = (email: string, start = slot) => provider.control.takeSlot(type, start, email)
  const remaining = Effect.map(provider.openTimes("2026-06-15T07:00:00Z", "2026-06-15T10:00:00Z", type), (answer) =>
    collectionIn(answer).collection.map(({ invitees_remaining: left }) => left)
  )
  const event = (uri: string) => Effect.map(provider.get(uri), resourceIn)
  const active = (uri: string) =>
    Effect.map(provider.get(`${uri}/invitees?status=active`), (answer) =>
      collectionIn(answer).collection.map(({ email }) => email)
    )
  return { ...provider, active, event, remaining, take }
})

const test = testWith(started)

test("several invitees share the scheduled event of a slot until it is full", function* ({
  active,
  book,
  event,
  get,
  remaining,
  take,
  url
}) {
  assert.deepStrictEqual(yield* remaining, [3, 3])
  const [ana, eva, mia] = [yield* take("ana@x.test"), yield* take("eva@x.test"), yield* take("mia@x.test")]
  assert.strictEqual(new Set([ana, eva, mia].map((booked) => booked.event.uri)).size, 1)
  assert.strictEqual(new Set([ana, eva, mia].map((booked) => booked.invitee.uri)).size, 3)
  assert.deepStrictEqual((yield* event(ana.event.uri))["invitees_counter"], { total: 3, active: 3, limit: 3 })
  assert.lengthOf(yield* active(ana.event.uri), 3)
  assert.deepStrictEqual(yield* remaining, [3])
  const full = yield* book({ event_type: `${url}/event_types/${type}`, start_time: slot })
  assert.strictEqual(full.status, 409)

  const organization = `${url}/organizations/org_demo`
  const withEmail = (email: string) =>
    Effect.map(get(`/scheduled_events?organization=${organization}&invitee_email=${email}`), (answer) =>
      collectionIn(answer).collection.map(({ uri }) => uri)
    )
  assert.deepStrictEqual(yield* withEmail("eva@x.test"), [ana.event.uri])
  assert.deepStrictEqual(yield* withEmail("nobody@x.test"), [])
  assert.deepStrictEqual(resourceIn(yield* get(eva.invitee.uri))["email"], "eva@x.test")
})

test("an invitee who cancels or reschedules does not affect the others", function* ({
  active,
  control,
  event,
  remaining,
  take
}) {
  const { event: shared } = yield* take("ana@x.test")
  yield* take("eva@x.test")
  const { invitee } = yield* control.cancel(idOf(shared.uri), "invitee", "I feel well", "ana@x.test")
  assert.deepInclude(invitee, { email: "ana@x.test", status: "canceled" })
  assert.deepStrictEqual(yield* active(shared.uri), ["eva@x.test"])
  assert.deepInclude(yield* event(shared.uri), { status: "active" })
  assert.deepStrictEqual(yield* remaining, [2, 3])
  yield* control.cancel(idOf(shared.uri), "invitee", undefined, "eva@x.test")
  assert.deepInclude(yield* event(shared.uri), { status: "canceled" })
  const anew = yield* take("mia@x.test")
  assert.notStrictEqual(anew.event.uri, shared.uri)
  assert.lengthOf(yield* control.pendingDeliveries, 5)
})

test("canceling the scheduled event cancels every invitee", function* ({ active, control, event, post, take }) {
  const { event: shared } = yield* take("ana@x.test")
  yield* take("eva@x.test")
  yield* take("ana@x.test", later)
  assert.strictEqual((yield* post(`${new URL(shared.uri).pathname}/cancellation`, {})).status, 201)
  assert.deepStrictEqual(yield* active(shared.uri), [])
  assert.deepInclude(yield* event(shared.uri), { status: "canceled" })
  assert.strictEqual((yield* post(`${new URL(shared.uri).pathname}/cancellation`, {})).status, 403)
  assert.lengthOf(yield* control.pendingDeliveries, 5)
})

test("an invitee with as many meetings of an event type as it allows books no other, until one is canceled", function* ({
  book,
  post,
  url
}) {
  const single = (start_time: string) => book({ event_type: `${url}/event_types/et_demo_single_30min`, start_time })
  const first = yield* single(slot)
  assert.strictEqual(first.status, 201)
  const refused = yield* single(later)
  assert.strictEqual(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /"parameter":"invitee.email"/)
  yield* post(`/scheduled_events/${idOf(resourceIn(first)["event"])}/cancellation`, {})
  assert.strictEqual((yield* single(later)).status, 201)
})
