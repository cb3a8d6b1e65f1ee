import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type Stripe from "stripe"
import { ask, errorOf, pay, stripeTest } from "../../test/stripe.ts"

const eventsOf = (stripe: Stripe, id: string) =>
  Effect.map(
    ask(() => stripe.events.list({ type: "charge.dispute.*", limit: 100 })),
    ({ data }) =>
      data
        .filter(({ data: { object } }) => "id" in object && object.id === id)
        .toReversed()
        .map(({ created, type }) => ({ created, type: type.replace("charge.dispute.", "") }))
  )

stripeTest("a payment is disputed, and the dispute is won or lost", function* ({ control, stripe }) {
  for (const status of ["won", "lost"] as const) {
    const paid = yield* pay(stripe)
    const dispute = yield* control.dispute(paid.id)
    assert.match(dispute.id, /^dp_\w{24}$/)
    assert.deepInclude(dispute, { status: "needs_response", reason: "fraudulent", amount: 1_000 })
    const charge = yield* ask(() => stripe.charges.retrieve(String(paid.latest_charge)))
    assert.isTrue(charge.disputed)
    const refund = yield* errorOf(() => stripe.refunds.create({ payment_intent: paid.id }))
    assert.deepInclude(refund, { code: "charge_disputed" })
    yield* control.moveDispute(dispute.id, "under_review")
    yield* control.moveDispute(dispute.id, status)
    assert.strictEqual((yield* ask(() => stripe.disputes.retrieve(dispute.id))).status, status)
    assert.deepStrictEqual(
      (yield* eventsOf(stripe, dispute.id)).map(({ type }) => type),
      ["created", "funds_withdrawn", "updated", "closed", ...(status === "won" ? ["funds_reinstated"] : [])]
    )
  }
  const paid = yield* pay(stripe, "pm_card_createDispute")
  const [dispute] = (yield* ask(() => stripe.disputes.list({ payment_intent: paid.id }))).data
  const evidence = { uncategorized_text: "winning_evidence" }
  yield* ask(() => stripe.disputes.update(dispute?.id ?? "", { evidence }))
  assert.strictEqual((yield* ask(() => stripe.disputes.retrieve(dispute?.id ?? ""))).status, "won")
})

stripeTest("a lost dispute may be won by an appeal, whose event has a later second", function* ({ control, stripe }) {
  const { id } = yield* control.dispute((yield* pay(stripe)).id)
  yield* control.moveDispute(id, "lost")
  assert.deepInclude(yield* errorOf(() => stripe.disputes.update(id, { metadata: { a: "1" } })), { statusCode: 400 })
  yield* control.moveDispute(id, "won")
  const types = yield* eventsOf(stripe, id)
  assert.deepStrictEqual(
    types.slice(2).map(({ type }) => type),
    ["closed", "closed", "funds_reinstated"]
  )
  assert.isAbove(types[3]?.created ?? 0, types[2]?.created ?? 0)
  assert.deepInclude(yield* errorOf(() => stripe.disputes.close(id)), { statusCode: 400 })
})

stripeTest(
  "an inquiry withdraws no money, leaves its charge refundable, and may become a dispute",
  function* ({ control, stripe }) {
    const paid = yield* pay(stripe)
    const refund = () => stripe.refunds.create({ payment_intent: paid.id, amount: 1 })
    const inquiry = yield* control.inquire(paid.id)
    assert.deepInclude(inquiry, { status: "warning_needs_response", is_charge_refundable: true })
    yield* ask(refund)
    assert.deepInclude(yield* errorOf(() => stripe.disputes.close(inquiry.id)), { statusCode: 400 })
    yield* control.moveDispute(inquiry.id, "warning_under_review")
    yield* ask(refund)
    const disputed = yield* control.moveDispute(inquiry.id, "needs_response")
    assert.deepInclude(disputed, { status: "needs_response", is_charge_refundable: false })
    assert.deepInclude(yield* errorOf(refund), { code: "charge_disputed" })
    assert.deepStrictEqual(
      (yield* eventsOf(stripe, inquiry.id)).map(({ type }) => type),
      ["created", "updated", "updated", "funds_withdrawn"]
    )
  }
)

stripeTest("evidence closes an inquiry, or makes it a dispute", function* ({ control, stripe }) {
  for (const [uncategorized_text, status] of [
    ["winning_evidence", "warning_closed"],
    ["escalate_inquiry_evidence", "needs_response"],
    ["a receipt", "warning_under_review"]
  ] as const) {
    const { id } = yield* control.inquire((yield* pay(stripe)).id)
    yield* ask(() => stripe.disputes.update(id, { evidence: { uncategorized_text } }))
    assert.strictEqual((yield* ask(() => stripe.disputes.retrieve(id))).status, status)
  }
})
