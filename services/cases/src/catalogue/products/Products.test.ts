import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, ProductId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Directory } from "../../case/directory/Directory.ts"
import { Products } from "./Products.ts"

const TestLayer = Products.layer.pipe(
  Layer.provide(Layer.mock(Directory, {})),
  Layer.provideMerge(layerAuditedDatabase("cases"))
)

layer(TestLayer)("the names of products", (it) => {
  const add = Effect.fnUntraced(function* (organizationId: OrganizationId, id: ProductId, name: string) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO products ${sql.insert({ id, organizationId, name, createdAt: new Date() })}`
  })

  it.effect("are cached for their organization alone, and unknown products are not cached", () =>
    Effect.gen(function* () {
      const { names } = yield* Products
      const sql = yield* SqlClient.SqlClient
      const [own, other] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
      const [one, two] = [ProductId.make(randomUUID()), ProductId.make(randomUUID())]
      yield* add(own, one, "One")
      assert.deepStrictEqual([...(yield* names(own, [one]))], [[one, "One"]])
      assert.deepInclude(yield* Effect.flip(names(own, [one, two])), { _tag: "ProductNotFound", productId: two })
      assert.deepInclude(yield* Effect.flip(names(other, [one])), { _tag: "ProductNotFound", productId: one })
      yield* add(own, two, "Two")
      assert.strictEqual((yield* names(own, [one, two])).get(two), "Two")
      yield* sql`UPDATE products SET name = 'Three' WHERE organization_id = ${own}`
      const known = yield* names(own, [two, one])
      assert.deepStrictEqual([known.get(one), known.get(two)], ["One", "Two"])
    })
  )

  it.effect(
    "of a product that another process changed are known after 3 seconds, and of one that this process changed at once",
    () =>
      Effect.gen(function* () {
        const { change, names } = yield* Products
        const sql = yield* SqlClient.SqlClient
        const own = OrganizationId.make(randomUUID())
        const [renamed, archived] = [ProductId.make(randomUUID()), ProductId.make(randomUUID())]
        yield* add(own, renamed, "One")
        yield* add(own, archived, "Two")
        const nameOf = (id: ProductId) => Effect.map(names(own, [id]), (byId) => byId.get(id))
        yield* names(own, [renamed, archived])
        yield* sql`UPDATE products SET name = 'Three' WHERE organization_id = ${own} AND id = ${renamed}`
        yield* sql`UPDATE products SET is_archived = true WHERE organization_id = ${own} AND id = ${archived}`
        yield* TestClock.adjust("2999 millis")
        assert.deepStrictEqual([yield* nameOf(renamed), yield* nameOf(archived)], ["One", "Two"])
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* nameOf(renamed), "Three")
        assert.deepInclude(yield* Effect.flip(nameOf(archived)), { _tag: "ProductNotFound", productId: archived })
        yield* change(own, archived, { isArchived: false, name: "Four" })
        yield* change(own, renamed, { isArchived: true })
        assert.strictEqual(yield* nameOf(archived), "Four")
        assert.deepInclude(yield* Effect.flip(nameOf(renamed)), { _tag: "ProductNotFound", productId: renamed })
      })
  )
})
