import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, errorOf, stripeTest } from "../../test/stripe.ts"

stripeTest("a deleted customer is shown as deleted, and its saved methods cannot pay any more", function* ({ stripe }) {
  const created = yield* ask(() => stripe.customers.create({ email: "maria@example.com" }))
  const { id } = created
  const setup = yield* ask(() =>
    stripe.setupIntents.create({
      customer: id,
      confirm: true,
      payment_method: "pm_card_visa",
      return_url: "https://shop.example.com"
    })
  )
  const trace = { id, object: "customer", deleted: true } as const
  assert.deepInclude(yield* ask(() => stripe.customers.del(id)), trace)
  assert.isEmpty((yield* ask(() => stripe.customers.list({ email: "maria@example.com" }))).data)
  assert.deepInclude(yield* ask(() => stripe.customers.retrieve(id)), trace)
  const found = yield* ask(() => stripe.setupIntents.retrieve(setup.id, { expand: ["customer"] }))
  assert.deepStrictEqual(found.customer, trace)
  const other = yield* ask(() => stripe.customers.create({}))
  const attached = yield* errorOf(() =>
    stripe.paymentMethods.attach(String(found.payment_method), { customer: other.id })
  )
  assert.deepInclude(attached, { statusCode: 400, param: "payment_method" })
  for (const again of [
    yield* errorOf(() => stripe.customers.del(id)),
    yield* errorOf(() => stripe.customers.update(id, { name: "Maria" }))
  ]) {
    assert.deepInclude(again, { statusCode: 404, code: "resource_missing" })
  }
})

stripeTest("a customer is created, found by its email, and changed", function* ({ stripe }) {
  const created = yield* ask(() =>
    stripe.customers.create({
      email: "maria@example.com",
      name: "Maria",
      address: { city: "Oakland", country: "US" },
      metadata: { "user.id": "u1", old: "x" }
    })
  )
  assert.match(created.id, /^cus_\w{14}$/)
  assert.deepInclude(created, { object: "customer", email: "maria@example.com", livemode: false })
  assert.deepStrictEqual(created.address, {
    city: "Oakland",
    country: "US",
    line1: null,
    line2: null,
    postal_code: null,
    state: null
  })
  yield* ask(() => stripe.customers.create({ email: "other@example.com" }))

  const changed = yield* ask(() =>
    stripe.customers.update(created.id, { name: "", phone: "+14155552672", metadata: { old: "", added: "y" } })
  )
  assert.deepInclude(changed, { name: null, phone: "+14155552672", email: "maria@example.com" })
  assert.deepStrictEqual(changed.metadata, { "user.id": "u1", added: "y" })
  const shown = yield* ask(() => stripe.customers.retrieve(created.id))
  assert.strictEqual(JSON.stringify(shown), JSON.stringify(changed))

  const found = yield* ask(() => stripe.customers.list({ email: "maria@example.com" }))
  assert.deepStrictEqual(
    found.data.map(({ id }) => id),
    [created.id]
  )
})

stripeTest("lists have pages, forwards and backwards, the newest first", function* ({ stripe }) {
  const ids: Array<string> = []
  for (const name of ["a", "b", "c", "d", "e"]) ids.unshift((yield* ask(() => stripe.customers.create({ name }))).id)
  const [e = "", d = "", c = "", b = "", a = ""] = ids
  const page = (query: object) =>
    Effect.map(
      ask(() => stripe.customers.list(query)),
      ({ data, has_more }) => [data.map(({ id }) => id), has_more]
    )
  assert.deepStrictEqual(yield* page({ limit: 2 }), [[e, d], true])
  assert.deepStrictEqual(yield* page({ limit: 2, starting_after: d }), [[c, b], true])
  assert.deepStrictEqual(yield* page({ limit: 2, starting_after: b }), [[a], false])
  assert.deepStrictEqual(yield* page({ limit: 2, ending_before: b }), [[d, c], true])
  assert.deepStrictEqual(yield* page({ limit: 3, ending_before: c }), [[e, d], false])
  const all = yield* ask(() => stripe.customers.list({ limit: 2 }).autoPagingToArray({ limit: 100 }))
  assert.deepStrictEqual(
    all.map(({ id }) => id),
    ids
  )
  const { created } = all[0] ?? assert.fail("there are none")
  assert.deepStrictEqual(yield* page({ created: { gt: created + 5 } }), [[], false])
  assert.deepStrictEqual(yield* page({ created: { lte: created + 5 } }), [ids, false])
  assert.deepInclude(yield* errorOf(() => stripe.customers.list({ limit: 101 })), { param: "limit" })
  assert.deepInclude(yield* errorOf(() => stripe.customers.list({ starting_after: "cus_none" })), {
    code: "resource_missing",
    param: "starting_after"
  })
})
