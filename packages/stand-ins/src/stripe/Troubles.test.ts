import { assert } from "@effect/vitest"
import Stripe from "stripe"
import { ask, errorOf, stripeTest } from "../../test/stripe.ts"
import type { Trouble } from "../standIn/Troubles.ts"

// Only requests that time out have this limit: a busy machine may take longer for an answer.
const brief = { timeout: 500 }

const kinds: ReadonlyArray<
  readonly [does: Trouble["does"], error: typeof Stripe.errors.StripeError, status: number | undefined, isDone: boolean]
> = [
  ["timeOutBefore", Stripe.errors.StripeConnectionError, undefined, false],
  ["timeOutAfter", Stripe.errors.StripeConnectionError, undefined, true],
  ["hangUpBefore", Stripe.errors.StripeConnectionError, undefined, false],
  ["hangUpAfter", Stripe.errors.StripeConnectionError, undefined, true],
  ["failBefore", Stripe.errors.StripeAPIError, 500, false],
  ["failAfter", Stripe.errors.StripeAPIError, 500, true],
  ["rateLimit", Stripe.errors.StripeRateLimitError, 429, false]
]

for (const [does, error, status, isDone] of kinds) {
  stripeTest(
    `${does}: the caller hears of it, and the operation is ${isDone ? "" : "not "}done`,
    function* ({ control, stripe }) {
      // The client retries a connection that was hung up, whatever its settings: with the same key.
      const times = does.startsWith("hangUp") ? 2 : 1
      yield* control.addTrouble({ method: "POST", path: "/v1/customers", does, times })
      const limit = does.startsWith("timeOut") ? brief : {}
      const create = () => stripe.customers.create({ email: `${does}@example.com` }, { idempotencyKey: "k1", ...limit })
      const thrown = yield* errorOf(create)
      assert.instanceOf(thrown, error)
      assert.strictEqual(thrown.statusCode, status)
      assert.lengthOf((yield* ask(() => stripe.customers.list())).data, isDone ? 1 : 0)
    }
  )
}

stripeTest("a lost request is retried with its key, and takes effect once", function* ({ control, stripe }) {
  for (const does of ["timeOutBefore", "timeOutAfter"] as const) {
    yield* control.addTrouble({ path: "/v1/customers", does })
    const create = (limit: object) =>
      stripe.customers.create({ email: `${does}@example.com` }, { idempotencyKey: does, ...limit })
    yield* errorOf(() => create(brief))
    const created = yield* ask(() => create({}))
    const found = yield* ask(() => stripe.customers.list({ email: `${does}@example.com` }))
    assert.deepStrictEqual(
      found.data.map(({ id }) => id),
      [created.id]
    )
  }
})

stripeTest("trouble affects matching requests only, as often as configured", function* ({ control, stripe }) {
  const intent = yield* ask(() => stripe.paymentIntents.create({ amount: 500, currency: "usd" }))
  yield* control.addTrouble({ method: "POST", path: "/v1/payment_intents/*/cancel", does: "rateLimit", times: 2 })
  yield* ask(() => stripe.paymentIntents.retrieve(intent.id))
  const cancel = () => stripe.paymentIntents.cancel(intent.id)
  assert.strictEqual((yield* errorOf(cancel)).statusCode, 429)
  assert.strictEqual((yield* errorOf(cancel)).statusCode, 429)
  assert.strictEqual((yield* ask(cancel)).status, "canceled")
  yield* control.addTrouble({ path: "/v1/customers", does: "rateLimit" })
  yield* control.clearTroubles
  yield* ask(() => stripe.customers.list())
})

stripeTest("lists the received requests without their secrets", function* ({ control, stripe }) {
  yield* ask(() =>
    stripe.paymentMethods.create(
      { type: "card", card: { number: "4242424242424242", exp_month: 1, exp_year: 2099, cvc: "739" } },
      { idempotencyKey: "k1" }
    )
  )
  yield* ask(() => stripe.customers.list({ email: "maria@example.com" }))
  const requests = yield* control.requests
  assert.deepStrictEqual(requests, [
    {
      method: "POST",
      path: "/v1/payment_methods",
      idempotencyKey: "k1",
      params: { type: "card", card: { number: "***", exp_month: "1", exp_year: "2099", cvc: "***" } }
    },
    { method: "GET", path: "/v1/customers", idempotencyKey: null, params: { email: "maria@example.com" } }
  ])
  yield* control.forgetRequests
  assert.deepStrictEqual(yield* control.requests, [])
})
