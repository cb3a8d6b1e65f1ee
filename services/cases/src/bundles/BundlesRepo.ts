import { type Bundle, BundleId, FormId, OrganizationId, PartnerBundle } from "@care/domain"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** A bundle with the ids of its forms. */
const BundleRow = Schema.Struct({
  ...PartnerBundle.fields,
  intakeFormId: Schema.NullOr(FormId),
  followupFormId: Schema.NullOr(FormId)
})
export type BundleRow = typeof BundleRow.Type

// No catalogue comes near it; a list without a bound could not be read.
const longestList = 1000

/** SQL of bundles. */
export class BundlesRepo extends Context.Service<
  BundlesRepo,
  {
    readonly insert: (bundle: Bundle) => Effect.Effect<void>
    /** Bundles of an organization, oldest first; with `isVisible` null, all. */
    readonly list: (
      organizationId: OrganizationId,
      isVisible: boolean | null
    ) => Effect.Effect<ReadonlyArray<PartnerBundle>>
    readonly find: (organizationId: OrganizationId, id: BundleId) => Effect.Effect<Option.Option<BundleRow>>
  }
>()("@care/cases/bundles/BundlesRepo") {
  static readonly layer = Layer.effect(
    BundlesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        "id, name, image_url, description, price::text, price_unit, initial_discount::text, is_sold_out, is_visible"
      )

      const list = SqlSchema.findAll({
        Request: Schema.Struct({ organizationId: OrganizationId, isVisible: Schema.NullOr(Schema.Boolean) }),
        Result: PartnerBundle,
        execute: ({ isVisible, organizationId }) => sql`
          SELECT ${columns} FROM bundles
          WHERE organization_id = ${organizationId} AND (${isVisible}::boolean IS NULL OR is_visible = ${isVisible})
          ORDER BY created_at, id
          LIMIT ${longestList}
        `
      })

      const find = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, id: BundleId }),
        Result: BundleRow,
        execute: ({ id, organizationId }) => sql`
          SELECT ${columns}, intake_form_id, followup_form_id FROM bundles
          WHERE organization_id = ${organizationId} AND id = ${id}
        `
      })

      const insert = ({ productIds, ...bundle }: Bundle) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO bundles ${sql.insert(bundle)}`
            yield* sql`
              INSERT INTO bundle_products (organization_id, bundle_id, product_id)
              SELECT ${bundle.organizationId}::uuid, ${bundle.id}::uuid, unnest(${productIds}::uuid[])
            `
          })
        )
      return BundlesRepo.of({
        insert: (bundle) => Effect.orDie(insert(bundle)),
        list: (organizationId, isVisible) => Effect.orDie(list({ organizationId, isVisible })),
        find: (organizationId, id) => Effect.orDie(find({ organizationId, id }))
      })
    })
  )
}
