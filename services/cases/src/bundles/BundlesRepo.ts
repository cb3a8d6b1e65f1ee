import type { Bundle } from "@care/domain"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** SQL of bundles. */
export class BundlesRepo extends Context.Service<
  BundlesRepo,
  { readonly insert: (bundle: Bundle) => Effect.Effect<void> }
>()("@care/cases/bundles/BundlesRepo") {
  static readonly layer = Layer.effect(
    BundlesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const insert = ({ productIds, ...bundle }: Bundle) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO bundles ${sql.insert(bundle)}`
            yield* sql`
              INSERT INTO bundle_products (bundle_id, product_id)
              SELECT ${bundle.id}::uuid, unnest(${productIds}::uuid[])
            `
          })
        )
      return BundlesRepo.of({ insert: (bundle) => Effect.orDie(insert(bundle)) })
    })
  )
}
