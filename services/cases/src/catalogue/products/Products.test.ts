import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, ProductId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../../case/directory/Directory.ts"
import { Products } from "./Products.ts"

const TestLayer = Products.layer.pipe(
  Layer.provide(Layer.mock(Directory, {})),
  Layer.provideMerge(layerAuditedDatabase("cases"))
)

layer(TestLayer, { excludeTestServices: true })("the names of products", (it) => {
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
      yield* sql`ALTER TABLE products RENAME TO products_of_before`
      const known = yield* names(own, [two, one])
      assert.deepStrictEqual([known.get(one), known.get(two)], ["One", "Two"])
    })
  )
})
