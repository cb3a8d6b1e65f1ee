import { assert } from "@effect/vitest"
import { ask, errorOf, stripeTest, typesOf } from "../../test/stripe.ts"

stripeTest("a successful setup attaches its method to the customer, with an event", function* ({ control, stripe }) {
  const customer = yield* ask(() => stripe.customers.create({ email: "maria@example.com" }))
  const created = yield* ask(() => stripe.setupIntents.create({ customer: customer.id }))
  assert.match(created.id, /^seti_\w{24}$/)
  assert.match(created.client_secret ?? "", new RegExp(`^${created.id}_secret_\\w{25}$`))
  assert.deepInclude(created, { status: "requires_payment_method", usage: "off_session", payment_method: null })

  const done = yield* control.confirm(created.id, { payment_method: "pm_card_visa" })
  assert.strictEqual(done.status, "succeeded")
  const shown = yield* ask(() => stripe.setupIntents.retrieve(created.id, { expand: ["payment_method", "customer"] }))
  assert.deepInclude(shown.payment_method, { customer: customer.id, type: "card" })
  assert.deepInclude(shown.customer, { email: "maria@example.com" })
  assert.deepStrictEqual(yield* typesOf(stripe), [
    "customer.created",
    "setup_intent.created",
    "payment_method.attached",
    "setup_intent.succeeded"
  ])
  const methods = yield* ask(() => stripe.paymentMethods.list({ customer: customer.id, type: "card" }))
  assert.lengthOf(methods.data, 1)
  for (const call of [
    () => stripe.setupIntents.confirm(created.id),
    () => stripe.setupIntents.cancel(created.id),
    () => stripe.setupIntents.update(created.id, { description: "late" })
  ]) {
    assert.deepInclude(yield* errorOf(call), { statusCode: 400, code: "setup_intent_unexpected_state" })
  }
})

stripeTest(
  "a setup may be declined, authenticated by the card's holder, and canceled",
  function* ({ control, stripe }) {
    const make = (payment_method: string) =>
      stripe.setupIntents.create({ payment_method, confirm: true, allowed_payment_method_types: ["card"] })

    const declined = yield* errorOf(() => make("pm_card_visa_chargeDeclined"))
    assert.deepInclude(declined, { statusCode: 402, code: "card_declined", decline_code: "generic_decline" })
    assert.deepInclude(declined.setup_intent, { status: "requires_payment_method", payment_method: null })
    assert.include(yield* typesOf(stripe), "setup_intent.setup_failed")

    const pending = yield* ask(() => make("pm_card_authenticationRequiredOnSetup"))
    assert.strictEqual(pending.status, "requires_action")
    assert.strictEqual(pending.next_action?.type, "use_stripe_sdk")
    assert.strictEqual((yield* control.fail(pending.id)).status, "requires_payment_method")
    const repeated = yield* ask(() =>
      stripe.setupIntents.confirm(pending.id, { payment_method: "pm_card_threeDSecure2Required" })
    )
    assert.strictEqual(repeated.status, "requires_action")
    assert.strictEqual((yield* control.authorize(pending.id)).status, "succeeded")

    const other = yield* ask(() => stripe.setupIntents.create({ payment_method: "pm_card_visa" }))
    assert.strictEqual(other.status, "requires_confirmation")
    const canceled = yield* ask(() => stripe.setupIntents.cancel(other.id, { cancellation_reason: "abandoned" }))
    assert.deepInclude(canceled, { status: "canceled", cancellation_reason: "abandoned" })
    assert.include(yield* typesOf(stripe), "setup_intent.canceled")
    const { param } = yield* errorOf(() => stripe.setupIntents.create({ allowed_payment_method_types: ["affirm"] }))
    assert.strictEqual(param, "allowed_payment_method_types")
  }
)
