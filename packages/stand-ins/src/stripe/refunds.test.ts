import { assert } from "@effect/vitest"
import type Stripe from "stripe"
import { ask, errorOf, pay, stripeTest, typesOf } from "../../test/stripe.ts"

stripeTest("a captured amount is refunded in parts, and never exceeded", function* ({ stripe }) {
  const paid = yield* pay(stripe)
  const refund = (amount?: number) =>
    stripe.refunds.create({ payment_intent: paid.id, ...(amount !== undefined && { amount }) })
  const part = yield* ask(() => refund(400))
  assert.match(part.id, /^re_\w{24}$/)
  assert.deepInclude(part, { amount: 400, status: "succeeded", payment_intent: paid.id, charge: paid.latest_charge })
  assert.deepStrictEqual((yield* typesOf(stripe)).slice(-2), ["refund.created", "charge.refunded"])
  const shown = yield* ask(() => stripe.refunds.retrieve(part.id, { expand: ["charge"] }))
  assert.deepInclude(shown.charge, { amount_refunded: 400, refunded: false })

  const tooMuch = yield* errorOf(() => refund(601))
  assert.deepInclude(tooMuch, { statusCode: 400, param: "amount" })
  yield* ask(() => refund())
  const charge = yield* ask(() => stripe.charges.retrieve(String(paid.latest_charge)))
  assert.deepInclude(charge, { amount_refunded: 1_000, refunded: true })
  assert.deepInclude(yield* errorOf(() => refund(1)), { statusCode: 400, code: "charge_already_refunded" })
  const listed = yield* ask(() => stripe.refunds.list({ payment_intent: paid.id }))
  assert.deepStrictEqual(
    listed.data.map(({ amount }) => amount),
    [600, 400]
  )
  const [event] = (yield* ask(() => stripe.events.list({ type: "charge.refunded" }))).data
  assert.deepStrictEqual(event?.data.previous_attributes, { amount_refunded: 400, refunded: false })
})

stripeTest("a refund may come later, or come back", function* ({ control, stripe }) {
  const late = yield* pay(stripe, "pm_card_pendingRefund")
  assert.strictEqual((yield* ask(() => stripe.refunds.create({ payment_intent: late.id }))).status, "pending")
  assert.includeMembers([...(yield* typesOf(stripe))], ["refund.updated", "charge.refund.updated"])

  const failing = yield* pay(stripe, "pm_card_refundFail")
  const refund = yield* ask(() => stripe.refunds.create({ payment_intent: failing.id }))
  assert.strictEqual(refund.status, "succeeded")
  assert.strictEqual((yield* ask(() => stripe.refunds.retrieve(refund.id))).status, "failed")
  assert.include(yield* typesOf(stripe), "refund.failed")

  const paid = yield* pay(stripe)
  const { id } = yield* ask(() => stripe.refunds.create({ payment_intent: paid.id, metadata: { a: "1" } }))
  assert.strictEqual((yield* control.failRefund(id)).status, "failed")
  const charge = yield* ask(() => stripe.charges.retrieve(String(paid.latest_charge)))
  assert.deepInclude(charge, { amount_refunded: 0, refunded: false })
})

stripeTest("an uncaptured payment cannot be refunded", function* ({ stripe }) {
  const open = yield* ask(() => stripe.paymentIntents.create({ amount: 1_000, currency: "usd" }))
  const wrong: ReadonlyArray<readonly [params: Stripe.RefundCreateParams, param: string]> = [
    [{ payment_intent: open.id }, "payment_intent"],
    [{ payment_intent: "pi_none" }, "payment_intent"],
    [{ charge: "ch_none" }, "charge"]
  ]
  for (const [params, param] of wrong) {
    assert.deepInclude(yield* errorOf(() => stripe.refunds.create(params)), { statusCode: 400, param })
  }
  assert.deepInclude(yield* errorOf(() => stripe.refunds.create()), { code: "parameter_missing" })
})
