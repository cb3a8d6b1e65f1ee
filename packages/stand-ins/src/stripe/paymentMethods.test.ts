import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, errorOf, stripeTest, typesOf } from "../../test/stripe.ts"

stripeTest("a method is attached to one customer, listed, detached, and cannot be used again", function* ({ stripe }) {
  const [first, second] = yield* Effect.all([
    ask(() => stripe.customers.create()),
    ask(() => stripe.customers.create())
  ])
  const method = yield* ask(() => stripe.paymentMethods.attach("pm_card_visa", { customer: first.id }))
  assert.match(method.id, /^pm_\w{24}$/)
  assert.notStrictEqual((yield* ask(() => stripe.paymentMethods.retrieve("pm_card_visa"))).id, method.id)
  assert.deepInclude(method, { customer: first.id, type: "card" })
  assert.deepInclude(method.card, { brand: "visa", last4: "4242" })
  assert.deepInclude(yield* errorOf(() => stripe.paymentMethods.attach(method.id, { customer: second.id })), {
    statusCode: 400
  })
  const ofOther = { allowed_payment_method_types: ["card" as const], amount: 500, currency: "usd", confirm: true }
  for (const customer of [{}, { customer: second.id }]) {
    const error = yield* errorOf(() =>
      stripe.paymentIntents.create({ ...ofOther, ...customer, payment_method: method.id })
    )
    assert.deepInclude(error, { statusCode: 400, param: "payment_method" })
  }
  const listed = yield* ask(() => stripe.paymentMethods.list({ customer: first.id }))
  assert.lengthOf(listed.data, 1)
  assert.strictEqual((yield* ask(() => stripe.paymentMethods.detach(method.id))).customer, null)
  assert.include(yield* typesOf(stripe), "payment_method.detached")
  assert.lengthOf((yield* ask(() => stripe.paymentMethods.list({ customer: first.id }))).data, 0)
  assert.deepInclude(yield* errorOf(() => stripe.paymentMethods.detach(method.id)), { statusCode: 400 })
  assert.deepInclude(yield* errorOf(() => stripe.paymentMethods.attach(method.id, { customer: first.id })), {
    statusCode: 400
  })
})

stripeTest("a token of a test card creates a method of that card", function* ({ stripe }) {
  const token = yield* ask(() => stripe.tokens.retrieve("tok_mastercard"))
  assert.deepInclude(token, { id: "tok_mastercard", object: "token", type: "card", used: false })
  const method = yield* ask(() => stripe.paymentMethods.create({ type: "card", card: { token: token.id } }))
  assert.strictEqual(method.card?.brand, token.card?.brand)
  assert.deepInclude(yield* errorOf(() => stripe.tokens.retrieve("tok_none")), {
    statusCode: 404,
    code: "resource_missing"
  })
})

stripeTest("a method that paid without a customer cannot be used again", function* ({ stripe }) {
  const method = yield* ask(() => stripe.paymentMethods.create({ type: "card", card: { token: "tok_visa" } }))
  const pay = () =>
    stripe.paymentIntents.create({
      allowed_payment_method_types: ["card"],
      amount: 500,
      currency: "usd",
      payment_method: method.id,
      confirm: true
    })
  assert.strictEqual((yield* ask(pay)).status, "succeeded")
  assert.deepInclude(yield* errorOf(pay), { statusCode: 400, param: "payment_method" })
})

stripeTest("a payment for later use attaches its method to the customer", function* ({ stripe }) {
  const customer = yield* ask(() => stripe.customers.create())
  const paid = yield* ask(() =>
    stripe.paymentIntents.create({
      allowed_payment_method_types: ["card"],
      amount: 500,
      currency: "usd",
      customer: customer.id,
      payment_method: "pm_card_visa",
      setup_future_usage: "off_session",
      confirm: true
    })
  )
  const [saved] = (yield* ask(() => stripe.customers.listPaymentMethods(customer.id))).data
  assert.strictEqual(saved?.id, paid.payment_method)
  assert.include(yield* typesOf(stripe), "payment_method.attached")
})

const declines: ReadonlyArray<readonly [method: string, code: string, declineCode: string]> = [
  ["pm_card_visa_chargeDeclined", "card_declined", "generic_decline"],
  ["pm_card_visa_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"],
  ["pm_card_visa_chargeDeclinedLostCard", "card_declined", "lost_card"],
  ["pm_card_visa_chargeDeclinedStolenCard", "card_declined", "stolen_card"],
  ["pm_card_chargeDeclinedExpiredCard", "expired_card", ""],
  ["pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", ""],
  ["pm_card_chargeDeclinedProcessingError", "processing_error", ""]
]

stripeTest("the cards that are declined say why, also when they are to be saved", function* ({ stripe }) {
  const customer = yield* ask(() => stripe.customers.create())
  for (const [payment_method, code, decline_code] of declines) {
    const attempts = [
      () => stripe.paymentMethods.attach(payment_method, { customer: customer.id }),
      () =>
        stripe.paymentIntents.create({
          allowed_payment_method_types: ["card"],
          amount: 500,
          currency: "usd",
          payment_method,
          confirm: true
        })
    ]
    for (const attempt of attempts) {
      const error = yield* errorOf(attempt)
      assert.deepInclude(error, { statusCode: 402, rawType: "card_error", code }, payment_method)
      assert.strictEqual(error.decline_code, decline_code, payment_method)
    }
  }
  const late = yield* ask(() => stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: customer.id }))
  const error = yield* errorOf(() =>
    stripe.paymentIntents.create({
      allowed_payment_method_types: ["card"],
      amount: 500,
      currency: "usd",
      customer: customer.id,
      payment_method: late.id,
      off_session: true,
      confirm: true
    })
  )
  assert.deepInclude(error, { statusCode: 402, code: "card_declined" })
})

stripeTest("a card may be given by its number", function* ({ stripe }) {
  const make = (card: object) =>
    stripe.paymentMethods.create({
      type: "card",
      card: { number: "4242 4242 4242 4242", exp_month: 5, exp_year: 2099, ...card }
    })
  assert.deepInclude((yield* ask(() => make({}))).card, { brand: "visa", exp_month: 5, exp_year: 2099 })
  assert.deepInclude(yield* errorOf(() => make({ number: "4242424242424241" })), { code: "incorrect_number" })
  assert.deepInclude(yield* errorOf(() => make({ exp_year: 2020 })), { code: "invalid_expiry_year" })
  assert.deepInclude(yield* errorOf(() => make({ exp_month: 13 })), { code: "invalid_expiry_month" })
})
