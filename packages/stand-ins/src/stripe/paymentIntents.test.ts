import { assert } from "@effect/vitest"
import { ask, errorOf, stripeTest, typesOf } from "../../test/stripe.ts"

const card = { allowed_payment_method_types: ["card" as const] }

stripeTest(
  "an off-session payment with a saved method succeeds immediately, with an event for each step",
  function* ({ stripe }) {
    const customer = yield* ask(() => stripe.customers.create({ payment_method: "pm_card_visa" }))
    const [method = assert.fail("nothing is saved")] = (yield* ask(() =>
      stripe.customers.listPaymentMethods(customer.id)
    )).data
    const intent = yield* ask(() =>
      stripe.paymentIntents.create({
        ...card,
        amount: 29_900,
        currency: "usd",
        customer: customer.id,
        payment_method: method.id,
        off_session: true,
        confirm: true,
        metadata: { case: "c1" },
        expand: ["latest_charge", "customer", "payment_method"]
      })
    )
    assert.match(intent.id, /^pi_\w{24}$/)
    assert.deepInclude(intent, { status: "succeeded", amount: 29_900, amount_received: 29_900, amount_capturable: 0 })
    assert.deepInclude(intent.latest_charge, { status: "succeeded", captured: true, amount_captured: 29_900 })
    assert.deepInclude(intent.customer, { id: customer.id })
    assert.deepInclude(intent.payment_method, { id: method.id })
    assert.deepStrictEqual((yield* typesOf(stripe)).slice(-4), [
      "payment_intent.created",
      "charge.succeeded",
      "payment_intent.succeeded",
      "charge.updated"
    ])
    const charges = yield* ask(() => stripe.charges.list({ payment_intent: intent.id, expand: ["data.customer"] }))
    assert.lengthOf(charges.data, 1)
    assert.deepInclude(charges.data[0]?.customer, { object: "customer" })
    assert.deepInclude(yield* errorOf(() => stripe.paymentIntents.retrieve(intent.id, { expand: ["nonsense"] })), {
      statusCode: 400,
      param: "expand"
    })
    const late = yield* errorOf(() => stripe.paymentIntents.cancel(intent.id))
    assert.deepInclude(late, { code: "payment_intent_unexpected_state" })
    assert.deepInclude(late.payment_intent, { id: intent.id, status: "succeeded" })
  }
)

stripeTest("a declined payment can be retried with another method", function* ({ control, stripe }) {
  const intent = yield* ask(() => stripe.paymentIntents.create({ ...card, amount: 500, currency: "eur" }))
  assert.strictEqual(intent.status, "requires_payment_method")
  const confirm = (payment_method: string) => stripe.paymentIntents.confirm(intent.id, { payment_method })
  const declined = yield* errorOf(() => confirm("pm_card_visa_chargeDeclinedInsufficientFunds"))
  assert.deepInclude(declined, {
    statusCode: 402,
    rawType: "card_error",
    code: "card_declined",
    decline_code: "insufficient_funds"
  })
  assert.deepInclude(declined.payment_intent, { status: "requires_payment_method", payment_method: null })
  assert.deepInclude(declined.payment_intent?.last_payment_error, { code: "card_declined" })
  const charge = yield* ask(() => stripe.charges.retrieve(declined.charge ?? ""))
  assert.deepInclude(charge, { status: "failed", paid: false, failure_code: "card_declined" })
  assert.deepStrictEqual((yield* typesOf(stripe)).slice(-2), ["charge.failed", "payment_intent.payment_failed"])

  const afterDecline = yield* control.confirm(intent.id, { payment_method: "pm_card_visa_chargeDeclinedLostCard" })
  assert.strictEqual(afterDecline.status, "requires_payment_method")
  const done = yield* ask(() => confirm("pm_card_mastercard"))
  assert.deepInclude(done, { status: "succeeded", last_payment_error: null })
  const listed = yield* ask(() => stripe.charges.list({ payment_intent: intent.id }))
  assert.deepStrictEqual(
    listed.data.map(({ status }) => status),
    ["succeeded", "failed", "failed"]
  )
})

stripeTest(
  "a card that requires authentication asks for it, and is declined off session",
  function* ({ control, stripe, url }) {
    const pay = (params: object) =>
      stripe.paymentIntents.create({
        ...card,
        amount: 500,
        currency: "usd",
        payment_method: "pm_card_authenticationRequired",
        confirm: true,
        ...params
      })
    const pending = yield* ask(() => pay({ return_url: "https://shop.example.com/back" }))
    assert.strictEqual(pending.status, "requires_action")
    assert.deepStrictEqual(pending.next_action?.redirect_to_url, {
      return_url: "https://shop.example.com/back",
      url: `${url}/authorize/${pending.id}`
    })
    const failed = yield* control.fail(pending.id)
    assert.deepInclude(failed, { status: "requires_payment_method" })
    const shown = yield* ask(() => stripe.paymentIntents.retrieve(pending.id))
    assert.strictEqual(shown.last_payment_error?.code, "payment_intent_authentication_failure")

    const offSession = yield* errorOf(() => pay({ off_session: true }))
    assert.deepInclude(offSession, { statusCode: 402, code: "authentication_required" })
    assert.deepInclude(offSession.payment_intent, { status: "requires_payment_method" })
    assert.deepInclude(yield* errorOf(() => pay({ error_on_requires_action: true })), {
      code: "authentication_required"
    })
    const repeated = yield* ask(() => pay({}))
    assert.deepInclude(yield* control.authorize(repeated.id), { status: "succeeded" })
  }
)

stripeTest("an intent is listed by its customer, changed while it is open, and canceled", function* ({ stripe }) {
  const customer = yield* ask(() => stripe.customers.create())
  const intent = yield* ask(() => stripe.paymentIntents.create({ amount: 700, currency: "USD", customer: customer.id }))
  yield* ask(() => stripe.paymentIntents.create({ amount: 800, currency: "usd" }))
  assert.deepInclude(intent, { currency: "usd", capture_method: "automatic_async" })
  const changed = yield* ask(() =>
    stripe.paymentIntents.update(intent.id, { amount: 900, metadata: { a: "1" }, description: "Program" })
  )
  assert.deepInclude(changed, { amount: 900, description: "Program" })
  const found = yield* ask(() => stripe.paymentIntents.list({ customer: customer.id }))
  assert.deepStrictEqual(
    found.data.map(({ id }) => id),
    [intent.id]
  )
  const canceled = yield* ask(() =>
    stripe.paymentIntents.cancel(intent.id, { cancellation_reason: "requested_by_customer" })
  )
  assert.deepInclude(canceled, { status: "canceled", cancellation_reason: "requested_by_customer" })
  assert.isNumber(canceled.canceled_at)
  assert.deepInclude(yield* errorOf(() => stripe.paymentIntents.update(intent.id, { amount: 1000 })), {
    code: "payment_intent_unexpected_state"
  })
  assert.strictEqual((yield* typesOf(stripe)).at(-1), "payment_intent.canceled")
})

const amounts: ReadonlyArray<readonly [amount: number, currency: string, code: string | undefined]> = [
  [0, "usd", "parameter_invalid_integer"],
  [-1, "usd", "parameter_invalid_integer"],
  [10.5, "usd", "parameter_invalid_integer"],
  [49, "usd", "amount_too_small"],
  [49, "jpy", "amount_too_small"],
  [100_000_000, "usd", "amount_too_large"],
  [1_001, "kwd", undefined],
  [550, "isk", undefined]
]

stripeTest("an invalid amount is refused as Stripe refuses it", function* ({ stripe }) {
  for (const [amount, currency, code] of amounts) {
    const error = yield* errorOf(() => stripe.paymentIntents.create({ amount, currency }))
    assert.deepInclude(error, { statusCode: 400, param: "amount" }, `${amount} ${currency}`)
    assert.strictEqual(error.code, code, `${amount} ${currency}`)
  }
  for (const [amount, currency] of [
    [50, "jpy"],
    [9_999_999_999, "jpy"],
    [1_010, "kwd"],
    [500, "isk"],
    [99_999_999, "usd"]
  ] as const) {
    const created = yield* ask(() => stripe.paymentIntents.create({ amount, currency }))
    assert.deepInclude(created, { amount, currency })
  }
})

stripeTest("says what is wrong with each invalid parameter", function* ({ stripe }) {
  const base = { amount: 500, currency: "usd" }
  const wrong: ReadonlyArray<readonly [params: object, code: string | undefined, param: string]> = [
    [{ currency: "usd" }, "parameter_missing", "amount"],
    [{ ...base, nonsense: { a: 1 } }, "parameter_unknown", "nonsense"],
    [
      { ...base, payment_method_data: { type: "card", card: { colour: "red" } } },
      "parameter_unknown",
      "payment_method_data[card][colour]"
    ],
    [{ ...base, capture_method: "later" }, undefined, "capture_method"],
    [{ ...base, confirm: "perhaps" }, undefined, "confirm"],
    [{ ...base, currency: "xyz" }, undefined, "currency"],
    [{ ...base, payment_method: "" }, "parameter_invalid_empty", "payment_method"],
    [{ ...base, customer: "cus_none" }, "resource_missing", "customer"],
    [{ ...base, payment_method: "pm_none" }, "resource_missing", "payment_method"],
    [{ ...base, off_session: true }, undefined, "off_session"],
    [{ ...base, payment_method_types: ["cash"] }, undefined, "payment_method_types[0]"],
    [{ ...base, receipt_email: "nobody" }, "email_invalid", "receipt_email"],
    [{ ...base, metadata: { case: "x".repeat(501) } }, undefined, "metadata"],
    [{ ...base, confirm: true, payment_method: "pm_card_visa" }, undefined, "return_url"]
  ]
  for (const [params, code, param] of wrong) {
    const error = yield* errorOf(() => stripe.paymentIntents.create(params as never))
    assert.deepInclude(error, { statusCode: 400, rawType: "invalid_request_error", param }, JSON.stringify(params))
    assert.strictEqual(error.code, code, JSON.stringify(params))
  }
  assert.deepStrictEqual((yield* ask(() => stripe.paymentIntents.list())).data, [])
  const setup = yield* ask(() => stripe.setupIntents.create())
  for (const id of ["pi_none", setup.id]) {
    const error = yield* errorOf(() => stripe.paymentIntents.retrieve(id))
    assert.deepInclude(error, {
      statusCode: 404,
      code: "resource_missing",
      message: `No such payment_intent: '${id}'`
    })
  }
})
