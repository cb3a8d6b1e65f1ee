import type { PagePosition } from "@care/domain/http"
import type { OrganizationId, PromoCodeId } from "@care/domain/ids"
import { PromoCode, type PromoCodeChange, PromoCodeTaken, type PromoTerm } from "@care/domain/payments"
import { execute, inScope, onViolation, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const promoCodes = rowsOf(Schema.toType(PromoCode))

/** Whose promo codes are listed: those of an organization, global ones, or, if undefined, all. */
export type PromoCodeOwner = OrganizationId | "GLOBAL" | undefined

/** SQL of the administration of promo codes, across organizations. */
export const makePromoCodesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(`
    id, organization_id, code, name, trim_scale(flat_discount)::text AS flat_discount,
    trim_scale(percent_discount)::text AS percent_discount, is_active, expires_at, bundle_ids, max_redemptions,
    redemptions, created_at
  `)
  const ownedBy = (owner: PromoCodeOwner) =>
    owner === "GLOBAL" ? sql.literal("organization_id IS NULL") : inScope(sql, owner)
  // The conditions match the partial indexes.
  const hasTerm = (term: PromoTerm, owner: PromoCodeOwner) =>
    owner === undefined ? sql`term || '' = ${term}` : sql`${ownedBy(owner)} AND term = ${term}`

  return {
    /** Stores a promo code with its terms, inside the caller's transaction. */
    insert: (promo: PromoCode, terms: ReadonlyArray<PromoTerm>) =>
      Effect.andThen(
        execute(sql`
          INSERT INTO promo_codes (
            id, organization_id, code, name, flat_discount, percent_discount, is_active, expires_at, bundle_ids,
            max_redemptions, redemptions, created_at, updated_at
          ) VALUES (
            ${promo.id}, ${promo.organizationId}, ${promo.code}, ${promo.name}, ${promo.flatDiscount}::numeric,
            ${promo.percentDiscount}::numeric, ${promo.isActive}, ${promo.expiresAt}, ${promo.bundleIds}::uuid[],
            ${promo.maxRedemptions}, ${promo.redemptions}, ${promo.createdAt}, ${promo.createdAt}
          )
        `),
        execute(
          sql`
            INSERT INTO promo_code_terms (organization_id, term, promo_code_id, created_at)
            SELECT ${promo.organizationId}::uuid, term, ${promo.id}::uuid, ${promo.createdAt}::timestamptz
            FROM unnest(${terms}::text[]) AS found_by (term) GROUP BY term ORDER BY term
          `.pipe(onViolation("promo_code_terms_unique", () => Effect.fail(new PromoCodeTaken())))
        )
      ),

    /** Returns a page of promo codes, newest first. */
    page: (owner: PromoCodeOwner, { createdAt, id }: PagePosition, limit: number) =>
      promoCodes.all(sql`
        SELECT ${columns} FROM promo_codes WHERE ${ownedBy(owner)} AND (created_at, id) < (${createdAt}, ${id})
        ORDER BY created_at DESC, id DESC LIMIT ${limit}
      `),

    /** Returns a page of the promo codes with a term. */
    pageOfTerm: (term: PromoTerm, owner: PromoCodeOwner, { createdAt, id }: PagePosition, limit: number) =>
      promoCodes.all(sql`
        SELECT ${columns} FROM promo_codes WHERE id IN (
          SELECT promo_code_id FROM promo_code_terms
          WHERE ${hasTerm(term, owner)} AND (created_at, promo_code_id) < (${createdAt}, ${id})
          ORDER BY created_at DESC, promo_code_id DESC LIMIT ${limit}
        )
        ORDER BY created_at DESC, id DESC
      `),

    /** Changes the given fields of a promo code in the scope. */
    update: (
      id: PromoCodeId,
      scope: OrganizationId | undefined,
      { isActive, ...bounds }: PromoCodeChange,
      updatedAt: Date
    ) =>
      promoCodes.first(sql`
        UPDATE promo_codes SET ${sql.update({ ...bounds, ...(isActive !== undefined && { isActive }), updatedAt })}
        WHERE id = ${id} AND ${inScope(sql, scope)} RETURNING ${columns}
      `)
  }
})
