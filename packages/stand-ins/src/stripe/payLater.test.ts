import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type Stripe from "stripe"
import { ask, errorOf, stripeTest, typesOf } from "../../test/stripe.ts"

const lenders = ["klarna", "affirm", "afterpay_clearpay"] as const

const pay = (stripe: Stripe, type: (typeof lenders)[number], params: object = {}) =>
  stripe.paymentIntents.create({
    allowed_payment_method_types: [type],
    amount: 20_000,
    currency: "usd",
    payment_method_data: { type },
    return_url: "https://shop.example.com/back?order=1",
    confirm: true,
    ...params
  })

for (const type of lenders) {
  stripeTest(`${type} redirects the customer to a page, where their choice decides`, function* ({ stripe }) {
    const press = (url: string, result: string) =>
      ask(() => fetch(url, { method: "POST", body: new URLSearchParams({ result }), redirect: "manual" }))

    for (const [result, status, event] of [
      ["authorize", "succeeded", "payment_intent.succeeded"],
      ["fail", "requires_payment_method", "payment_intent.payment_failed"]
    ] as const) {
      const intent = yield* ask(() => pay(stripe, type))
      assert.deepInclude(intent, { status: "requires_action" })
      assert.strictEqual((yield* typesOf(stripe)).at(-1), "payment_intent.requires_action")
      const page = intent.next_action?.redirect_to_url?.url ?? ""
      const html = yield* ask(() => fetch(page).then((answer) => answer.text()))
      assert.include(html, 'value="authorize"')
      assert.include(html, 'value="fail"')
      const pressed = yield* press(page, result)
      assert.strictEqual(pressed.status, 303)
      const back = new URL(pressed.headers.get("location") ?? "")
      assert.strictEqual(back.origin, "https://shop.example.com")
      assert.deepStrictEqual(Object.fromEntries(back.searchParams), {
        order: "1",
        payment_intent: intent.id,
        payment_intent_client_secret: intent.client_secret ?? "",
        redirect_status: result === "authorize" ? "succeeded" : "failed"
      })
      assert.strictEqual((yield* ask(() => stripe.paymentIntents.retrieve(intent.id))).status, status)
      assert.include(yield* typesOf(stripe), event)
    }
  })
}

stripeTest("a lender may decide later, and authorize the amount", function* ({ control, stripe }) {
  const slow = yield* ask(() => pay(stripe, "klarna"))
  assert.strictEqual((yield* control.process(slow.id)).status, "processing")
  assert.strictEqual((yield* typesOf(stripe)).at(-1), "payment_intent.processing")
  assert.deepInclude(yield* errorOf(() => stripe.paymentIntents.cancel(slow.id)), {
    code: "payment_intent_unexpected_state"
  })
  assert.strictEqual((yield* control.authorize(slow.id)).status, "succeeded")

  const intent = yield* ask(() => pay(stripe, "affirm", { capture_method: "manual" }))
  assert.strictEqual((yield* control.authorize(intent.id)).status, "requires_capture")
  assert.strictEqual((yield* ask(() => stripe.paymentIntents.capture(intent.id))).status, "succeeded")
})

stripeTest("an intent offers the allowed types that support its amount and currency", function* ({ stripe }) {
  const typesOf = (params: object) =>
    Effect.map(
      ask(() => stripe.paymentIntents.create({ amount: 20_000, currency: "usd", ...params })),
      ({ payment_method_types }) => payment_method_types
    )
  assert.deepStrictEqual(yield* typesOf({}), ["card", ...lenders])
  assert.deepStrictEqual(yield* typesOf({ automatic_payment_methods: { enabled: true, allow_redirects: "never" } }), [
    "card"
  ])
  assert.deepStrictEqual(yield* typesOf({ currency: "eur" }), ["card", "klarna"])
  assert.deepStrictEqual(yield* typesOf({ amount: 3_400 }), ["card", "klarna", "afterpay_clearpay"])
  assert.deepStrictEqual(yield* typesOf({ amount: 500_000 }), ["card", "klarna", "affirm"])
  assert.deepStrictEqual(yield* typesOf({ currency: "eur", allowed_payment_method_types: ["affirm", "card"] }), [
    "card"
  ])
  assert.deepStrictEqual(yield* typesOf({ payment_method_types: ["affirm"] }), ["affirm"])
  const none = yield* errorOf(() => pay(stripe, "affirm", { currency: "jpy" }))
  assert.deepInclude(none, { param: "allowed_payment_method_types" })
  const noWayBack = yield* errorOf(() => pay(stripe, "klarna", { return_url: undefined }))
  assert.deepInclude(noWayBack, { param: "return_url" })
  const offSession = yield* errorOf(() => pay(stripe, "klarna", { off_session: true }))
  assert.deepInclude(offSession, { param: "off_session" })
})
