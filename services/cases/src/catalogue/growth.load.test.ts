import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"
import { oldest } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeBundlesRepo } from "./bundles/BundlesRepo.ts"
import { makeFormsRepo } from "./forms/FormsRepo.ts"
import { makeProductsRepo } from "./products/ProductsRepo.ts"

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("the lists of a catalogue", (it) => {
  it.effect("read the same however many entries there are, archived or not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [bundles, forms, products] = [yield* makeBundlesRepo, yield* makeFormsRepo, yield* makeProductsRepo]
      const organizationId = OrganizationId.make(randomUUID())
      const columns = sql.literal("organization_id, id")
      const seed = Effect.fnUntraced(function* (from: number, to: number) {
        // One entry of a hundred is not archived.
        const values = sql`
          SELECT ${organizationId}::uuid, gen_random_uuid(), n::text, now() - n * interval '1 second', n % 100 > 0
          FROM generate_series(${from}::int, ${to}::int) AS n
        `
        yield* sql`INSERT INTO products (${columns}, name, created_at, is_archived) ${values}`
        yield* sql`
          INSERT INTO forms (${columns}, title, created_at, is_active)
          SELECT organization_id, id, name, created_at, NOT is_archived FROM products
          ON CONFLICT DO NOTHING
        `
        yield* sql`
          INSERT INTO bundles (
            ${columns}, name, created_at, is_archived, description, image_url, price, price_unit, initial_discount,
            is_sold_out, is_visible
          )
          SELECT organization_id, id, name, created_at, is_archived, '', '', 1, 'USD', 0, false, true FROM products
          ON CONFLICT DO NOTHING
        `
        yield* sql`ANALYZE products, forms, bundles`
      })
      const readsOfLists = Effect.forEach([false, true], (isArchived) =>
        Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
          Effect.forEach(
            [
              Effect.asVoid(bundles.page(organizationId, isArchived, oldest, 11)),
              Effect.asVoid(forms.page(organizationId, isArchived, oldest, 11)),
              Effect.asVoid(products.page(organizationId, isArchived, oldest, 11))
            ],
            (page) =>
              readsOf(
                ["products", "forms", "bundles", "bundle_products"],
                Effect.andThen(sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`, page)
              )
          )
        )
      ).pipe(Effect.map((reads) => reads.flat(2)))
      yield* seed(1, 3000)
      const few = yield* readsOfLists
      yield* seed(3001, 30_000)
      const many = yield* readsOfLists
      assert.isAbove(Math.max(...few), 10)
      for (const [index, reads] of many.entries()) assert.isAtMost(reads, Math.max(few[index] ?? 0, 40) * 1.1)
    })
  )
})
