import { BundleId, type OrganizationId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const bundles = rowsOf(Schema.Struct({ id: BundleId }))

export const makeCatalogueCopiesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /**
     * Copies what is not archived and was not copied before, inside the caller's transaction. The id of a copy is derived from that of the
     * sandbox and that of the original (as a UUID of version 8), so that there is one copy. Copies are as old as their originals.
     */
    copy: Effect.fnUntraced(function* (live: OrganizationId, sandbox: OrganizationId) {
      const copyOf = (column: string) => sql`
        overlay(overlay(
          left(encode(sha256((${sandbox}::text || ' ' || ${sql.literal(column)}::text)::bytea), 'hex'), 32)
          PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid
      `
      const isOffered = sql`organization_id = ${live} AND NOT is_archived`

      yield* execute(sql`
        INSERT INTO products (organization_id, id, name, description, price, currency, created_at)
        SELECT ${sandbox}::uuid, ${copyOf("id")}, name, description, price, currency, created_at
        FROM products WHERE ${isOffered}
        ORDER BY created_at, id
        ON CONFLICT (organization_id, id) DO NOTHING
      `)
      yield* execute(sql`
        INSERT INTO forms (organization_id, id, title, description, is_active, created_at)
        SELECT ${sandbox}::uuid, ${copyOf("id")}, title, description, is_active, created_at
        FROM forms
        WHERE organization_id = ${live} AND (
          (is_active AND NOT is_dynamic)
          OR id IN (SELECT unnest(ARRAY[intake_form_id, followup_form_id]) FROM bundles WHERE ${isOffered})
        )
        ORDER BY created_at, id
        ON CONFLICT (organization_id, id) DO NOTHING
      `)
      yield* execute(sql`
        INSERT INTO form_questions (
          organization_id, id, form_id, index, question, type, required, phi, hint, placeholder, options
        )
        SELECT ${sandbox}::uuid, ${copyOf("q.id")}, copy.id, q.index, q.question, q.type, q.required, q.phi, q.hint, q.placeholder, q.options
        FROM form_questions q
        JOIN forms copy ON copy.organization_id = ${sandbox} AND copy.id = ${copyOf("q.form_id")}
        WHERE q.organization_id = ${live}
        ORDER BY q.form_id, q.index
        ON CONFLICT (organization_id, id) DO NOTHING
      `)
      const added = yield* bundles.all(sql`
        INSERT INTO bundles (
          organization_id, id, name, description, image_url, price, price_unit, initial_discount, is_sold_out, is_visible,
          intake_form_id, followup_form_id, created_at
        )
        SELECT ${sandbox}::uuid, ${copyOf("id")}, name, description, image_url, price, price_unit, initial_discount, is_sold_out, is_visible,
               ${copyOf("intake_form_id")}, ${copyOf("followup_form_id")}, created_at
        FROM bundles WHERE ${isOffered}
        ORDER BY created_at, id
        ON CONFLICT (organization_id, id) DO NOTHING
        RETURNING id
      `)
      // Not of bundles that were copied before: theirs may have been changed since.
      yield* execute(sql`
        INSERT INTO bundle_products (organization_id, bundle_id, product_id)
        SELECT ${sandbox}::uuid, ${copyOf("p.bundle_id")}, copy.id
        FROM bundle_products p
        JOIN products copy ON copy.organization_id = ${sandbox} AND copy.id = ${copyOf("p.product_id")}
        WHERE p.organization_id = ${live} AND ${copyOf("p.bundle_id")} = ANY(${added.map(({ id }) => id)}::uuid[])
        ORDER BY p.bundle_id, p.product_id
      `)
    })
  }
})
