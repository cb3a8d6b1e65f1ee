import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../../case/directory/Directory.ts"
import { Bundles } from "../bundles/Bundles.ts"
import { Forms } from "../forms/Forms.ts"
import { Products } from "../products/Products.ts"
import { makeCatalogueCopiesRepo } from "./CatalogueCopiesRepo.ts"

const TestLayer = Layer.mergeAll(Bundles.layer, Forms.layer, Products.layer).pipe(
  Layer.provide(Layer.mock(Directory, { requireOrganization: () => Effect.void })),
  Layer.provideMerge(layerAuditedDatabase("cases"))
)

layer(TestLayer, { excludeTestServices: true })("the catalogue of a sandbox", (it) => {
  const newId = () => OrganizationId.make(randomUUID())
  const page = { limit: 100, isArchived: "false" } as const

  const copy = Effect.fnUntraced(function* (live: OrganizationId, sandbox: OrganizationId) {
    const sql = yield* SqlClient.SqlClient
    const repo = yield* makeCatalogueCopiesRepo
    yield* inTransaction(sql)(repo.copy(live, sandbox))
  })

  const question = (text: string) => ({ question: text, type: "TEXT" as const, required: true })

  const fill = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const [bundles, forms, products] = [yield* Bundles, yield* Forms, yield* Products]
    const one = yield* products.create(organizationId, { name: "One", price: "299.00", currency: "USD" })
    const two = yield* products.create(organizationId, { name: "Two" })
    const archived = yield* products.create(organizationId, { name: "Archived" })
    const form = yield* forms.create(organizationId, { title: "Intake", questions: [question("B?"), question("A?")] })
    const bundle = yield* bundles.create(organizationId, {
      name: "Bundle",
      description: "Both",
      imageUrl: "https://images.example.com/bundle.png",
      price: "299.00",
      priceUnit: "USD",
      initialDiscount: "50.00",
      isSoldOut: false,
      isVisible: true,
      productIds: [one.id, two.id, archived.id],
      intakeFormId: form.id
    })
    yield* products.change(organizationId, archived.id, { isArchived: true })
    // A bundle keeps a form that is archived later.
    yield* forms.change(organizationId, form.id, { isArchived: true })
    return { bundle, form, one, two }
  })

  const shown = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const [bundles, forms, products] = [yield* Bundles, yield* Forms, yield* Products]
    const listed = yield* products.page(organizationId, page)
    const listedBundles = yield* bundles.page(organizationId, page)
    const listedForms = yield* forms.list(organizationId, { ...page, isArchived: "true" })
    const whole = yield* Effect.forEach(listedForms.data, ({ id }) => forms.get(organizationId, id))
    // Two that were made in the same millisecond are listed by their ids, which differ in a copy.
    const byName = listed.data.toSorted((a, b) => a.name.localeCompare(b.name))
    return { products: byName, bundles: listedBundles.data, forms: whole }
  })

  type Shown = Effect.Success<ReturnType<typeof shown>>

  // What is the same in both: all but the ids.
  const contentOf = ({ bundles, forms, products }: Shown) => ({
    products: products.map(({ id: _, organizationId: __, ...product }) => product),
    forms: forms.map(({ id: _, organizationId: __, questions, ...form }) => ({
      ...form,
      questions: questions.map(({ id: ___, ...fields }) => fields)
    })),
    bundles: bundles.map(({ intakeFormId, productIds, id: _, organizationId: __, ...bundle }) => ({
      ...bundle,
      intakeForm: forms.find(({ id }) => id === intakeFormId)?.title,
      products: products.filter(({ id }) => productIds.includes(id)).map(({ name }) => name)
    }))
  })

  const idsOf = ({ bundles, forms, products }: Shown) =>
    [...products, ...bundles, ...forms, ...forms.flatMap(({ questions }) => questions)].map(({ id }) => id)

  it.effect("is a copy of what is not archived, with ids of its own, and the live one stays as it is", () =>
    Effect.gen(function* () {
      const [live, sandbox, stranger] = [newId(), newId(), newId()]
      yield* fill(live)
      yield* fill(stranger)
      const before = yield* shown(live)
      yield* copy(live, sandbox)
      const copied = yield* shown(sandbox)
      assert.deepStrictEqual(contentOf(copied), contentOf(before))
      assert.deepStrictEqual(
        copied.products.map(({ name }) => name),
        ["One", "Two"]
      )
      assert.deepStrictEqual(contentOf(copied).bundles[0]?.products, ["One", "Two"])
      assert.lengthOf(copied.forms[0]?.questions ?? [], 2)
      for (const id of idsOf(copied)) {
        assert.notInclude(idsOf(before), id)
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
      }
      assert.deepStrictEqual(yield* shown(live), before)
      // The same products are others in another sandbox.
      const other = newId()
      yield* copy(live, other)
      for (const id of idsOf(yield* shown(other))) assert.notInclude(idsOf(copied), id)
    })
  )

  it.effect("gets what is new in the live one, and keeps what was changed in either", () =>
    Effect.gen(function* () {
      const [bundles, products] = [yield* Bundles, yield* Products]
      const [live, sandbox] = [newId(), newId()]
      const { bundle, one } = yield* fill(live)
      yield* copy(live, sandbox)
      const copied = yield* shown(sandbox)
      const [copiedOne, copiedTwo] = copied.products
      const [copiedBundle] = copied.bundles
      if (copiedOne === undefined || copiedTwo === undefined || copiedBundle === undefined)
        return assert.fail("no copy")
      yield* products.change(sandbox, copiedOne.id, { name: "Own" })
      yield* products.change(sandbox, copiedTwo.id, { isArchived: true })
      yield* bundles.change(sandbox, copiedBundle.id, { productIds: [] })
      yield* products.change(live, one.id, { price: "1.00" })
      const three = yield* products.create(live, { name: "Three" })
      yield* bundles.change(live, bundle.id, { productIds: [three.id] })
      yield* copy(live, sandbox)
      const after = yield* shown(sandbox)
      assert.deepStrictEqual(
        after.products.map(({ name, price }) => [name, price]),
        [
          ["Own", "299.00"],
          ["Three", null]
        ]
      )
      assert.deepStrictEqual(after.bundles, [{ ...copiedBundle, productIds: [] }])
    })
  )

  it.effect("is one copy when copies are made in parallel, and none when a copy is broken off", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeCatalogueCopiesRepo
      const [live, sandbox] = [newId(), newId()]
      yield* fill(live)
      const broken = Effect.andThen(repo.copy(live, sandbox), Effect.fail("broken"))
      assert.strictEqual(yield* Effect.flip(inTransaction(sql)(broken)), "broken")
      assert.deepStrictEqual(idsOf(yield* shown(sandbox)), [])
      yield* Effect.all(
        Array.from({ length: 10 }, () => copy(live, sandbox)),
        { concurrency: 10 }
      )
      assert.deepStrictEqual(contentOf(yield* shown(sandbox)), contentOf(yield* shown(live)))
    })
  )
})
