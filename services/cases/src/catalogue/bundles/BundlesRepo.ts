import { Bundle, type BundleChange, PartnerBundle } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { type BundleId, FormId, type OrganizationId, type ProductId } from "@care/domain/ids"
import { affects, execute, givenColumns, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const bundles = rowsOf(PartnerBundle)

const wholeBundles = rowsOf(Bundle)

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
  const wholeColumns = sql`
    ${columns}, organization_id, intake_form_id, followup_form_id, is_archived, created_at, ARRAY(
      SELECT product_id FROM bundle_products p
      WHERE p.organization_id = bundles.organization_id AND p.bundle_id = bundles.id
      ORDER BY product_id
    ) AS product_ids
  `

  const insertProducts = (organizationId: OrganizationId, id: BundleId, productIds: ReadonlyArray<ProductId>) =>
    execute(sql`
      INSERT INTO bundle_products (organization_id, bundle_id, product_id)
      SELECT ${organizationId}::uuid, ${id}::uuid, unnest(${productIds}::uuid[])
    `)

  return {
    /** Stores a bundle, inside the caller's transaction. */
    insert: ({ productIds, ...bundle }: Bundle) =>
      Effect.andThen(
        execute(sql`INSERT INTO bundles ${sql.insert(bundle)}`),
        insertProducts(bundle.organizationId, bundle.id, productIds)
      ),

    /** Changes a bundle, inside the caller's transaction. Returns false when the organization has no such bundle. */
    change: Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      id: BundleId,
      { productIds, ...change }: BundleChange
    ) {
      const isFound = yield* affects(sql`
        UPDATE bundles SET ${sql.update({ id, ...givenColumns(change) })}
        WHERE organization_id = ${organizationId} AND id = ${id}
        RETURNING id
      `)
      if (!isFound || productIds === undefined) return isFound
      yield* execute(sql`
        DELETE FROM bundle_products WHERE organization_id = ${organizationId} AND bundle_id = ${id}
      `)
      yield* insertProducts(organizationId, id, [...new Set(productIds)])
      return true
    }),

    page: (organizationId: OrganizationId, isArchived: boolean, after: PagePosition, limit: number) =>
      wholeBundles.all(sql`
        SELECT ${wholeColumns} FROM bundles
        WHERE organization_id = ${organizationId} AND is_archived = ${isArchived}::boolean
          AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    findWhole: (organizationId: OrganizationId, id: BundleId) =>
      wholeBundles.first(sql`
        SELECT ${wholeColumns} FROM bundles WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Returns bundles that are not archived, oldest first. */
    list: (organizationId: OrganizationId, isVisible: boolean | null) =>
      bundles.all(sql`
        SELECT ${columns} FROM bundles
        WHERE organization_id = ${organizationId} AND NOT is_archived AND (${isVisible}::boolean IS NULL OR is_visible = ${isVisible})
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
