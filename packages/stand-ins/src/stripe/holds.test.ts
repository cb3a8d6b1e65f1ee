import { assert, it } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import type Stripe from "stripe"
import { ask, errorOf, startStripe, stripeTest, typesOf } from "../../test/stripe.ts"

const hold = (stripe: Stripe, params: object = {}) =>
  ask(() =>
    stripe.paymentIntents.create({
      allowed_payment_method_types: ["card"],
      amount: 10_000,
      currency: "usd",
      payment_method: "pm_card_visa",
      capture_method: "manual",
      confirm: true,
      ...params
    })
  )

stripeTest("an authorized amount is captured in full or in part, once", function* ({ stripe }) {
  const intent = yield* hold(stripe)
  assert.deepInclude(intent, { status: "requires_capture", amount_capturable: 10_000, amount_received: 0 })
  assert.deepStrictEqual((yield* typesOf(stripe)).slice(-2), [
    "charge.succeeded",
    "payment_intent.amount_capturable_updated"
  ])
  assert.deepInclude(yield* errorOf(() => stripe.paymentIntents.capture(intent.id, { amount_to_capture: 10_001 })), {
    code: "amount_too_large"
  })
  assert.deepInclude(yield* errorOf(() => stripe.refunds.create({ payment_intent: intent.id })), { statusCode: 400 })
  const captured = yield* ask(() =>
    stripe.paymentIntents.capture(intent.id, { amount_to_capture: 4_000, expand: ["latest_charge"] })
  )
  assert.deepInclude(captured, { status: "succeeded", amount: 10_000, amount_received: 4_000, amount_capturable: 0 })
  assert.deepInclude(captured.latest_charge, {
    captured: true,
    amount_captured: 4_000,
    amount_refunded: 0,
    refunded: false
  })
  assert.deepStrictEqual((yield* typesOf(stripe)).slice(-3), [
    "charge.captured",
    "payment_intent.succeeded",
    "charge.updated"
  ])
  assert.deepInclude(yield* errorOf(() => stripe.paymentIntents.capture(intent.id)), {
    code: "payment_intent_unexpected_state"
  })
  assert.deepInclude(yield* errorOf(() => stripe.refunds.create({ payment_intent: intent.id, amount: 4_001 })), {
    param: "amount"
  })
  const whole = yield* hold(stripe)
  assert.strictEqual((yield* ask(() => stripe.paymentIntents.capture(whole.id))).amount_received, 10_000)
})

stripeTest("an authorized amount is released when its intent is canceled, which is no refund", function* ({ stripe }) {
  const intent = yield* hold(stripe)
  const canceled = yield* ask(() => stripe.paymentIntents.cancel(intent.id, { expand: ["latest_charge"] }))
  assert.deepInclude(canceled, { status: "canceled", amount_capturable: 0 })
  assert.deepInclude(canceled.latest_charge, { captured: false, refunded: false, amount_refunded: 0 })
  assert.strictEqual((yield* typesOf(stripe)).at(-1), "payment_intent.canceled")
  assert.deepStrictEqual((yield* ask(() => stripe.refunds.list())).data, [])
})

const day = 24 * 3600

stripeTest("a hold of a customer on a test clock expires seven days later by that clock", function* ({ stripe }) {
  const start = 1_700_000_000
  const clock = yield* ask(() => stripe.testHelpers.testClocks.create({ frozen_time: start, name: "holds" }))
  const customer = yield* ask(() => stripe.customers.create({ test_clock: clock.id }))
  assert.strictEqual(customer.created, start)
  const intent = yield* hold(stripe, { customer: customer.id })
  const other = yield* hold(stripe)
  const advance = (frozen_time: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time })
  assert.strictEqual((yield* ask(() => advance(start + 7 * day - 1))).status, "advancing")
  assert.strictEqual((yield* ask(() => stripe.testHelpers.testClocks.retrieve(clock.id))).status, "ready")
  assert.strictEqual((yield* ask(() => stripe.paymentIntents.retrieve(intent.id))).status, "requires_capture")

  yield* ask(() => advance(start + 7 * day))
  const expired = yield* ask(() => stripe.paymentIntents.retrieve(intent.id))
  assert.deepInclude(expired, { status: "canceled", cancellation_reason: "expired", amount_capturable: 0 })
  assert.includeMembers([...(yield* typesOf(stripe))], ["charge.expired", "payment_intent.canceled"])
  assert.strictEqual((yield* ask(() => stripe.paymentIntents.retrieve(other.id))).status, "requires_capture")
  assert.deepInclude(yield* errorOf(() => advance(start)), { param: "frozen_time" })
})

it.live("every other hold expires seven days later", () =>
  Effect.gen(function* () {
    const real = yield* Clock.Clock
    let ahead = 0
    const clock = { ...real, currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + ahead }
    const { stripe } = yield* startStripe().pipe(Effect.provideService(Clock.Clock, clock))
    const intent = yield* hold(stripe)
    ahead = Duration.toMillis("7 days") - 60_000
    assert.strictEqual((yield* ask(() => stripe.paymentIntents.retrieve(intent.id))).status, "requires_capture")
    ahead = Duration.toMillis("7 days") + 1000
    assert.strictEqual((yield* ask(() => stripe.paymentIntents.retrieve(intent.id))).status, "canceled")
  }).pipe(Effect.scoped)
)

stripeTest(
  "an authorization without a customer expires when the network says, which the charge shows",
  function* ({ stripe }) {
    const { id: customer } = yield* ask(() => stripe.customers.create({}))
    for (const [card, days] of [
      ["pm_card_visa", 4.75],
      ["pm_card_mastercard", 7]
    ] as const) {
      const method = yield* ask(() => stripe.paymentMethods.attach(card, { customer }))
      const intent = yield* hold(stripe, {
        customer,
        payment_method: method.id,
        off_session: true,
        expand: ["latest_charge"]
      })
      const charge = typeof intent.latest_charge === "string" ? null : intent.latest_charge
      const until = charge?.payment_method_details?.card?.capture_before ?? 0
      assert.strictEqual(until - (charge?.created ?? 0), days * day)
    }
  }
)
