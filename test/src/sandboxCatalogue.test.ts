import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.shared, "the catalogue of a sandbox", (it) => {
  const add = (kind: string, { organizationId }: Pick<Clinic, "organizationId">, body: object) =>
    Effect.map(admin("POST", `/organizations/${organizationId}/${kind}`, body), ({ json }): string => json.id)

  const firstTestKey = (live: Clinic) =>
    Effect.map(admin("POST", `/organizations/${live.organizationId}/api-keys`, { mode: "test" }), ({ json }) => json)

  const productsOf = (key: string) =>
    Effect.map(
      call("GET", "/api/v1/products", { key }),
      ({ json }): ReadonlyArray<{ readonly id: string; readonly name: string }> => json.data
    )

  const namesOf = (key: string) => Effect.map(productsOf(key), (products) => products.map(({ name }) => name))

  it("is there with the first test key, so that a case can be created at once", function* () {
    const live = yield* makeClinic
    const stranger = yield* makeClinic
    const intakeFormId = yield* add("forms", live, {
      title: "Intake",
      questions: [{ question: "How much do you weigh?", type: "TEXT", required: true }]
    })
    const liveBundleId = yield* add("bundles", live, {
      name: "Weight management",
      description: "Three months",
      imageUrl: "https://images.example.com/bundle.png",
      price: "299.00",
      priceUnit: "USD",
      initialDiscount: "0.00",
      isSoldOut: false,
      isVisible: true,
      productIds: [live.productId],
      intakeFormId
    })
    const before = yield* productsOf(live.key)
    const { key, organizationId } = yield* firstTestKey(live)
    const [product, ...others] = yield* until(productsOf(key), ({ length }) => length > 0)
    assert.deepStrictEqual([product?.name, others], ["Semaglutide program", []])
    assert.notInclude([live.productId, stranger.productId], product?.id)
    assert.strictEqual((yield* createCase({ ...live, key }, caseBody(live))).status, 422)
    const sandbox = { organizationId, key, keyId: "", productId: product?.id ?? "" }
    assert.strictEqual((yield* createCase(sandbox, caseBody(sandbox))).status, 200)
    const bundles = (yield* call("GET", "/api/v1/organization/bundles", { key })).json.data
    assert.deepStrictEqual(
      bundles.map(({ name }: { readonly name: string }) => name),
      ["Weight management"]
    )
    assert.notStrictEqual(bundles[0].id, liveBundleId)
    const bundle = yield* call("GET", `/api/v1/organization/bundles/${bundles[0].id}?includeIntakeForm=true`, { key })
    assert.strictEqual(bundle.json.data.intakeForm.questions[0].text, "How much do you weigh?")
    assert.notStrictEqual(bundle.json.data.intakeForm.id, intakeFormId)
    assert.deepStrictEqual(yield* productsOf(live.key), before)
    assert.strictEqual((yield* createCase(live, caseBody(sandbox))).status, 422)
  })

  it("gets with a reset what is new, and with another test key nothing", function* () {
    const live = yield* makeClinic
    const { key } = yield* firstTestKey(live)
    const [product] = yield* until(productsOf(key), ({ length }) => length > 0)
    yield* add("products", live, { name: "Tirzepatide program" })
    yield* admin("PATCH", `/organizations/${live.organizationId}/products/${live.productId}`, { name: "Renamed" })
    yield* firstTestKey(live)
    assert.deepStrictEqual(yield* namesOf(key), ["Semaglutide program"])
    assert.strictEqual((yield* call("POST", "/api/v1/test/reset", { key })).status, 200)
    const renewed = yield* until(namesOf(key), ({ length }) => length > 1)
    assert.deepStrictEqual(renewed, ["Semaglutide program", "Tirzepatide program"])
    assert.strictEqual((yield* productsOf(key))[0]?.id, product?.id)
    assert.strictEqual((yield* call("POST", "/api/v1/test/reset", { key })).status, 200)
    assert.lengthOf(yield* productsOf(key), 2)
  })

  it("is one copy when several ask for the first test key at once", function* () {
    const live = yield* makeClinic
    const keys = yield* Effect.forEach(Array.from({ length: 8 }), () => firstTestKey(live), { concurrency: 8 })
    for (const { key } of keys) {
      assert.deepStrictEqual(yield* until(namesOf(key), ({ length }) => length > 0), ["Semaglutide program"])
    }
  })
})
