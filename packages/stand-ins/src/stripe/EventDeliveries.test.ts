import { text } from "node:stream/consumers"
import { serveListener, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import Stripe from "stripe"
import { ask, startStripe } from "../../test/stripe.ts"

const secret = "whsec_of_the_tests"

/** Starts a receiver of events. Returns those that the official client accepts, in the order in which they came. */
const listen = (answers: Array<number> = [], ownSecret = secret) =>
  Effect.gen(function* () {
    const events: Array<Stripe.Event> = []
    const { url } = yield* serveListener(async (request, response) => {
      const body = await text(request)
      const signature = String(request.headers["stripe-signature"])
      events.push(Stripe.webhooks.constructEvent(body, signature, ownSecret))
      response.writeHead(answers.shift() ?? 200).end()
    })
    return { events, webhook: { url, secret: ownSecret } }
  })

const count = (events: ReadonlyArray<unknown>, times: number) =>
  until(
    Effect.sync(() => events.length),
    (length) => length >= times
  )

it.live("events are delivered signed, one after the other, and can be listed by type", () =>
  Effect.gen(function* () {
    const { events, webhook } = yield* listen()
    const { control, stripe } = yield* startStripe({ webhooks: [webhook] })
    const customer = yield* ask(() => stripe.customers.create({ email: "maria@example.com" }))
    const key = { idempotencyKey: "k1" }
    const intent = yield* ask(() => stripe.paymentIntents.create({ amount: 500, currency: "usd" }, key))
    yield* ask(() => stripe.paymentIntents.cancel(intent.id))
    yield* count(events, 3)
    assert.deepStrictEqual(
      events.map(({ type }) => type),
      ["customer.created", "payment_intent.created", "payment_intent.canceled"]
    )
    assert.deepInclude(events[0]?.data.object, { id: customer.id, email: "maria@example.com" })
    assert.deepInclude(events[1], { object: "event", api_version: Stripe.API_VERSION, livemode: false })
    assert.deepInclude(events[1]?.request, { idempotency_key: "k1" })
    yield* until(control.pendingDeliveries, (waiting) => waiting.length === 0)

    const found = yield* ask(() => stripe.events.list({ type: "payment_intent.*" }))
    assert.deepStrictEqual(
      found.data.map(({ type }) => type),
      ["payment_intent.canceled", "payment_intent.created"]
    )
    const first = yield* ask(() => stripe.events.retrieve(events[0]?.id ?? ""))
    assert.deepInclude(first, { type: "customer.created", pending_webhooks: 0 })
    const types = yield* ask(() => stripe.events.list({ types: ["customer.created"], delivery_success: true }))
    assert.lengthOf(types.data, 1)
  }).pipe(Effect.scoped)
)

it.live("an event is delivered again until it is answered with a 2xx", () =>
  Effect.gen(function* () {
    const { events, webhook } = yield* listen([500, 404])
    const { control, stripe } = yield* startStripe({ webhooks: [webhook] })
    yield* ask(() => stripe.customers.create())
    yield* count(events, 3)
    assert.lengthOf(new Set(events.map(({ id }) => id)), 1)
    yield* until(control.pendingDeliveries, (waiting) => waiting.length === 0)
    assert.lengthOf(events, 3)
  }).pipe(Effect.scoped)
)

it.live("each of several receivers gets an event with its own signature, until all have answered with a 2xx", () =>
  Effect.gen(function* () {
    const [first, second] = [yield* listen(), yield* listen([503], "whsec_of_the_second")]
    const { control, stripe } = yield* startStripe({ webhooks: [first.webhook, second.webhook] })
    yield* ask(() => stripe.customers.create())
    yield* count(second.events, 2)
    yield* until(control.pendingDeliveries, (waiting) => waiting.length === 0)
    assert.lengthOf(new Set([...first.events, ...second.events].map(({ id }) => id)), 1)
  }).pipe(Effect.scoped)
)

it.live("a receiver that hangs does not delay the events of another", () =>
  Effect.gen(function* () {
    const { events, webhook } = yield* listen()
    const hanging = yield* serveListener(() => {})
    const { control, stripe } = yield* startStripe({ webhooks: [{ url: hanging.url, secret }, webhook] })
    for (const name of ["a", "b", "c"]) yield* ask(() => stripe.customers.create({ name }))
    yield* Effect.timeout(count(events, 3), "5 seconds")
    const waiting = yield* until(control.pendingDeliveries, ({ length }) => length === 3)
    assert.deepStrictEqual(
      waiting.map(({ event, receiver }) => [event, receiver]),
      events.map(({ id }) => [id, "0"])
    )
    const [first] = events
    const { pending_webhooks } = yield* ask(() => stripe.events.retrieve(first?.id ?? ""))
    assert.strictEqual(pending_webhooks, 1)
  }).pipe(Effect.scoped)
)

it.live("an event that is not acknowledged waits longer before each attempt", () =>
  Effect.gen(function* () {
    const { webhook } = yield* listen(Array.from({ length: 20 }, () => 503))
    const { control, stripe } = yield* startStripe({ webhooks: [webhook] })
    const { created } = yield* ask(() => stripe.customers.create())
    const [waiting] = yield* until(control.pendingDeliveries, ([first]) => (first?.attempts ?? 0) >= 2)
    assert.isAtLeast(waiting?.due ?? 0, created * 1000 + 600)
  }).pipe(Effect.scoped)
)

it.live("held events are delivered in the requested order, also twice", () =>
  Effect.gen(function* () {
    const { events, webhook } = yield* listen()
    const { control, stripe } = yield* startStripe({ webhooks: [webhook] })
    yield* control.setDeliveryMode({ isHeld: true })
    for (const email of ["a@example.com", "b@example.com"]) yield* ask(() => stripe.customers.create({ email }))
    const [first = "", second = ""] = (yield* control.pendingDeliveries).map(({ event }) => event)
    assert.lengthOf(events, 0)
    assert.deepStrictEqual(yield* control.sendEvents([second, first, second]), [200, 200, 200])
    assert.deepStrictEqual(
      events.map(({ id }) => id),
      [second, first, second]
    )
    assert.deepStrictEqual(yield* control.pendingDeliveries, [])
    yield* ask(() => stripe.customers.create())
    yield* control.setDeliveryMode({})
    yield* count(events, 4)
  }).pipe(Effect.scoped)
)

it.live("events may be delivered late, twice, and in reverse order", () =>
  Effect.gen(function* () {
    const { events, webhook } = yield* listen()
    const { control, stripe } = yield* startStripe({ webhooks: [webhook] })
    yield* control.setDeliveryMode({ isHeld: true })
    const ids: Array<string> = []
    for (const name of ["a", "b", "c"]) ids.push((yield* ask(() => stripe.customers.create({ name }))).id)
    yield* control.setDeliveryMode({ isReversed: true, copies: 2 })
    yield* count(events, 6)
    const [a, b, c] = ids
    const objects = yield* Effect.forEach(events, ({ data }) =>
      Effect.succeed("id" in data.object ? data.object.id : "")
    )
    assert.deepStrictEqual([...objects].sort(), [a, a, b, b, c, c].sort())
    assert.deepStrictEqual(objects, [c, c, b, b, a, a])

    yield* control.setDeliveryMode({ delayMillis: 60_000 })
    yield* ask(() => stripe.customers.create())
    assert.lengthOf(yield* control.pendingDeliveries, 1)
    assert.lengthOf(events, 6)
    yield* control.setDeliveryMode({})
    yield* count(events, 7)
  }).pipe(Effect.scoped)
)
