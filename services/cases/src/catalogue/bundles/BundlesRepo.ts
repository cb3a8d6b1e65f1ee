import { type Bundle, PartnerBundle } from "@care/domain/cases"
import { type BundleId, FormId, type OrganizationId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const bundles = rowsOf(PartnerBundle)

const bundlesWithForms = rowsOf(
  Schema.Struct({
    ...PartnerBundle.fields,
    intakeFormId: Schema.NullOr(FormId),
    followupFormId: Schema.NullOr(FormId)
  })
)

const maxListLength = 1000

export const makeBundlesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(
    "id, name, image_url, description, price::text, price_unit, initial_discount::text, is_sold_out, is_visible"
  )
  return {
    /** Stores a bundle, inside the caller's transaction. */
    insert: ({ productIds, ...bundle }: Bundle) =>
      Effect.andThen(
        execute(sql`INSERT INTO bundles ${sql.insert(bundle)}`),
        execute(sql`
          INSERT INTO bundle_products (organization_id, bundle_id, product_id)
          SELECT ${bundle.organizationId}::uuid, ${bundle.id}::uuid, unnest(${productIds}::uuid[])
        `)
      ),

    /** Returns bundles, oldest first. */
    list: (organizationId: OrganizationId, isVisible: boolean | null) =>
      bundles.all(sql`
        SELECT ${columns} FROM bundles
        WHERE organization_id = ${organizationId} AND (${isVisible}::boolean IS NULL OR is_visible = ${isVisible})
        ORDER BY created_at, id
        LIMIT ${maxListLength}
      `),

    find: (organizationId: OrganizationId, id: BundleId) =>
      bundlesWithForms.first(sql`
        SELECT ${columns}, intake_form_id, followup_form_id FROM bundles
        WHERE organization_id = ${organizationId} AND id = ${id}
      `)
  }
})
