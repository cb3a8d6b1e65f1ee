import { assert, it } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import { ask, errorOf, startStripe, stripeTest } from "../../test/stripe.ts"

const base = { amount: 500, currency: "usd", allowed_payment_method_types: ["card" as const] }

stripeTest("a repeated request gets the same answer, and takes effect once", function* ({ stripe }) {
  const create = () => stripe.paymentIntents.create(base, { idempotencyKey: "k1" })
  const first = yield* ask(create)
  const repeated = yield* ask(create)
  assert.strictEqual(JSON.stringify(repeated), JSON.stringify(first))
  assert.isUndefined(first.lastResponse.headers["idempotent-replayed"])
  assert.strictEqual(repeated.lastResponse.headers["idempotent-replayed"], "true")
  assert.strictEqual(repeated.lastResponse.headers["original-request"], first.lastResponse.requestId)
  assert.strictEqual(repeated.lastResponse.headers["idempotency-key"], "k1")
  assert.lengthOf((yield* ask(() => stripe.paymentIntents.list())).data, 1)

  for (const other of [
    () => stripe.paymentIntents.create({ ...base, amount: 501 }, { idempotencyKey: "k1" }),
    () => stripe.customers.create({}, { idempotencyKey: "k1" })
  ]) {
    assert.deepInclude(yield* errorOf(other), { statusCode: 400, rawType: "idempotency_error" })
  }
})

stripeTest(
  "the answer of a decline or an error is stored with its key, that of an invalid request is not",
  function* ({ control, stripe }) {
    const declined = () =>
      stripe.paymentIntents.create(
        { ...base, payment_method: "pm_card_visa_chargeDeclined", confirm: true },
        { idempotencyKey: "declined" }
      )
    const first = yield* errorOf(declined)
    const repeated = yield* errorOf(declined)
    assert.strictEqual(repeated.statusCode, 402)
    assert.strictEqual(repeated.charge, first.charge)
    assert.strictEqual(repeated.headers?.["idempotent-replayed"], "true")
    assert.lengthOf((yield* ask(() => stripe.paymentIntents.list())).data, 1)

    yield* control.addTrouble({ path: "/v1/customers", does: "failBefore" })
    const customer = () => stripe.customers.create({}, { idempotencyKey: "failed" })
    assert.strictEqual((yield* errorOf(customer)).statusCode, 500)
    assert.strictEqual((yield* errorOf(customer)).headers?.["idempotent-replayed"], "true")

    const invalid = () => stripe.paymentIntents.create({ ...base, nonsense: 1 } as never, { idempotencyKey: "invalid" })
    assert.strictEqual((yield* errorOf(invalid)).code, "parameter_unknown")
    const valid = yield* ask(() => stripe.paymentIntents.create(base, { idempotencyKey: "invalid" }))
    assert.isUndefined(valid.lastResponse.headers["idempotent-replayed"])
  }
)

stripeTest(
  "of concurrent requests with one key, one takes effect, and the others get a conflict",
  function* ({ control, stripe }) {
    yield* control.addTrouble({ path: "/v1/customers", does: "delay", millis: 1000 })
    const create = () => stripe.customers.create({ email: "maria@example.com" }, { idempotencyKey: "k1" })
    const outcomes = yield* Effect.promise(() => Promise.allSettled(Array.from({ length: 8 }, create)))
    const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
    assert.lengthOf(refusals, 7)
    for (const error of refusals) {
      assert.deepInclude(error, { statusCode: 409, rawType: "idempotency_error", code: "idempotency_key_in_use" })
    }
    assert.strictEqual((yield* ask(create)).lastResponse.headers["idempotent-replayed"], "true")
    assert.lengthOf((yield* ask(() => stripe.customers.list())).data, 1)
  }
)

it.live("a key expires after a day", () =>
  Effect.gen(function* () {
    const real = yield* Clock.Clock
    let ahead = 0
    const clock = { ...real, currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + ahead }
    const { stripe } = yield* startStripe().pipe(Effect.provideService(Clock.Clock, clock))
    const create = () => stripe.customers.create({}, { idempotencyKey: "k1" })
    const first = yield* ask(create)
    ahead = Duration.toMillis("23 hours")
    assert.strictEqual((yield* ask(create)).id, first.id)
    ahead = Duration.toMillis("25 hours")
    assert.notStrictEqual((yield* ask(create)).id, first.id)
  }).pipe(Effect.scoped)
)
