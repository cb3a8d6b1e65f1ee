import { join } from "node:path"
import { serveListener, temporaryFolder, until } from "@care/service-kit/testing"
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
  startScheduling,
  testWith
} from "../../test/scheduling.ts"

const secret = "a-signing-key-of-the-tests"

// Starts a receiver of events, which answers 503 while `isAway`.
const listen = Effect.gen(function* () {
  const receiver = { isAway: false, received: 0 }
  const { url } = yield* serveListener((_request, response) => {
    receiver.received += 1
    response.writeHead(receiver.isAway ? 503 : 200).end()
  })
  return { receiver, webhook: { url, secret } }
})

const start = Effect.gen(function* () {
  yield* TestClock.setTime(monday)
  const { receiver, webhook } = yield* listen
  const provider = yield* startScheduling({ webhooks: [webhook] })
  const organization = `${provider.url}/organizations/org_demo`
  const list = provider.get(`/webhook_subscriptions?organization=${organization}&scope=organization`)
  const only = Effect.map(list, (answer) => {
    const { collection } = collectionIn(answer)
    assert.lengthOf(collection, 1)
    return collection[0] ?? {}
  })
  const register = (url: string) =>
    provider.post("/webhook_subscriptions", {
      url,
      events: ["invitee.created", "invitee.canceled"],
      organization,
      scope: "organization",
      signing_key: secret
    })
  return { ...provider, only, receiver, register, webhook }
})

const test = testWith(start)

test("a subscription that fails for 24 hours is disabled, and gets no events afterwards", function* ({
  control,
  get,
  only,
  receiver,
  url,
  webhook
}) {
  assert.deepInclude(yield* only, {
    callback_url: webhook.url,
    state: "active",
    retry_started_at: null,
    events: ["invitee.created", "invitee.canceled"],
    organization: `${url}/organizations/org_demo`
  })
  receiver.isAway = true
  yield* control.takeSlot("et_demo_30min", at9)
  yield* until(control.pendingDeliveries, ([one]) => one?.attempts === 1)
  yield* TestClock.adjust("23 hours")
  yield* until(control.pendingDeliveries, ([one]) => one?.attempts === 2)
  assert.deepInclude(yield* only, { state: "active", retry_started_at: "2026-06-08T12:00:00.000000Z" })
  yield* TestClock.adjust("2 hours")
  yield* until(control.pendingDeliveries, ({ length }) => length === 0)
  const { state, uri } = yield* only
  assert.strictEqual(state, "disabled")
  assert.deepInclude(resourceIn(yield* get(String(uri))), { state: "disabled" })
  assert.deepStrictEqual(yield* control.pendingDeliveries, [])

  receiver.isAway = false
  yield* control.takeSlot("et_demo_30min", "2026-06-10T13:00:00Z")
  assert.deepStrictEqual(yield* control.pendingDeliveries, [])
})

test("a subscription that accepts a repeated delivery is not failing any more", function* ({
  control,
  only,
  receiver
}) {
  receiver.isAway = true
  yield* control.takeSlot("et_demo_30min", at9)
  yield* until(only, ({ retry_started_at }) => retry_started_at !== null)
  receiver.isAway = false
  yield* TestClock.adjust("1 hours")
  yield* until(only, ({ retry_started_at }) => retry_started_at === null)
})

test("a disabled subscription is deleted and registered anew, because a URL has one", function* ({
  ask,
  control,
  only,
  receiver,
  register,
  url,
  webhook
}) {
  yield* control.setDeliveryMode({ isHeld: true })
  yield* control.takeSlot("et_demo_30min", at9)
  assert.lengthOf(yield* control.pendingDeliveries, 1)
  yield* control.disableSubscriptions
  assert.deepStrictEqual(yield* control.pendingDeliveries, [])
  const { state, uri } = yield* only
  assert.strictEqual(state, "disabled")
  assert.strictEqual((yield* register(webhook.url)).status, 409)
  assert.strictEqual((yield* ask("DELETE", `/webhook_subscriptions/${idOf(uri)}`)).status, 204)
  assert.strictEqual((yield* ask("DELETE", `/webhook_subscriptions/${idOf(uri)}`)).status, 404)
  const anew = yield* register(webhook.url)
  assert.strictEqual(anew.status, 201)
  assert.deepInclude(resourceIn(anew), {
    state: "active",
    callback_url: webhook.url,
    creator: `${url}/users/usr_demo`
  })
  yield* control.setDeliveryMode({})
  yield* control.takeSlot("et_demo_30min", at930)
  yield* until(control.pendingDeliveries, (waiting) => waiting.length === 0)
  assert.strictEqual(receiver.received, 1)
})

test("a free plan can neither book nor subscribe", function* ({ book, control, register }) {
  yield* control.haveFreePlan(true)
  const message = "Please upgrade to a paid Calendly account."
  for (const answer of [yield* book(), yield* register("https://example.com/hook")]) {
    assert.strictEqual(answer.status, 403)
    assert.deepStrictEqual(answer.body, { title: "Permission Denied", message })
  }
  yield* control.haveFreePlan(false)
  assert.strictEqual((yield* book()).status, 201)
})

it.effect("a subscription that is disabled stays so when the stand-in starts again", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(monday)
    const { receiver, webhook } = yield* listen
    const file = join(yield* temporaryFolder(), "scheduling.journal")
    const running = <A>(use: (provider: Effect.Success<ReturnType<typeof startScheduling>>) => Effect.Effect<A>) =>
      startScheduling({ webhooks: [webhook], file }).pipe(Effect.flatMap(use), Effect.scoped)
    yield* running(({ control }) => control.disableSubscriptions)
    yield* running(({ control }) =>
      Effect.andThen(
        control.takeSlot("et_demo_30min", at10),
        Effect.map(control.pendingDeliveries, (waiting) => assert.deepStrictEqual(waiting, []))
      )
    )
    assert.strictEqual(receiver.received, 0)
  }).pipe(Effect.scoped)
)
