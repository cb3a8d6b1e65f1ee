import { BundleId, type CaseId, type OrganizationId, PromoCodeId } from "@care/domain/ids"
import { PromoTerm } from "@care/domain/payments"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** A promo code as a request names it. `discount` is an exact decimal: an amount if `isFlat`, else a percentage. */
const NamedPromoCode = Schema.Struct({
  term: PromoTerm,
  id: PromoCodeId,
  isFlat: Schema.Boolean,
  discount: Schema.String,
  isActive: Schema.Boolean,
  expiresAt: Schema.NullOr(Schema.Date),
  bundleIds: Schema.Array(BundleId),
  isUsedUp: Schema.Boolean
})
export type NamedPromoCode = typeof NamedPromoCode.Type

const namedPromoCodes = rowsOf(NamedPromoCode)
const promoCodeIds = rowsOf(Schema.Struct({ id: PromoCodeId }))
const idsOf = Effect.map((rows: ReadonlyArray<{ readonly id: PromoCodeId }>) => rows.map(({ id }) => id))

/** SQL of the use of promo codes. Locks are taken in one order: the case's uses, then the promo codes, each by id. */
export const makePromoRedemptionsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(`
    c.id, flat_discount IS NOT NULL AS is_flat, trim_scale(coalesce(flat_discount, percent_discount))::text AS discount,
    is_active, expires_at, bundle_ids, coalesce(redemptions >= max_redemptions, false) AS is_used_up
  `)

  // Changes the number of uses within the limits, and returns the promo codes that were changed.
  const count = (organizationId: OrganizationId, ids: ReadonlyArray<PromoCodeId>, uses: 1 | -1) =>
    promoCodeIds.all(sql`
      WITH locked AS (
        SELECT id FROM promo_codes
        WHERE id = ANY(${ids}::uuid[]) AND (organization_id = ${organizationId} OR organization_id IS NULL)
        ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE promo_codes c SET redemptions = redemptions + ${uses}::int FROM locked
      WHERE c.id = locked.id AND (${uses}::int < 0 OR max_redemptions IS NULL OR redemptions < max_redemptions)
      RETURNING c.id
    `)

  return {
    /**
     * Returns the promo code of each term: the one that the case has used, else the organization's own, else the global
     * one.
     */
    findByTerms: (organizationId: OrganizationId, terms: ReadonlyArray<PromoTerm>, caseId?: CaseId) =>
      namedPromoCodes.all(sql`
        SELECT DISTINCT ON (requested.term) requested.term, ${columns}
        FROM unnest(${terms}::text[]) AS requested (term)
        CROSS JOIN LATERAL (
          SELECT promo_code_id FROM promo_code_terms WHERE organization_id = ${organizationId} AND term = requested.term
          UNION ALL
          SELECT promo_code_id FROM promo_code_terms WHERE organization_id IS NULL AND term = requested.term
        ) meant
        JOIN promo_codes c ON c.id = meant.promo_code_id
        LEFT JOIN promo_redemptions r
          ON r.organization_id = ${organizationId} AND r.case_id = ${caseId ?? null} AND r.promo_code_id = c.id
        ORDER BY requested.term, r.case_id IS NULL, c.organization_id NULLS LAST
      `),

    /** Stores that a case uses promo codes, and returns those that it did not use before. */
    insert: (organizationId: OrganizationId, caseId: CaseId, ids: ReadonlyArray<PromoCodeId>, now: Date) =>
      promoCodeIds
        .all(sql`
          INSERT INTO promo_redemptions (organization_id, case_id, promo_code_id, created_at)
          SELECT ${organizationId}::uuid, ${caseId}::uuid, id, ${now}::timestamptz
          FROM unnest(${ids}::uuid[]) AS used (id) GROUP BY id ORDER BY id
          ON CONFLICT DO NOTHING
          RETURNING promo_code_id AS id
        `)
        .pipe(idsOf),

    /** Removes the uses of a case, and returns its promo codes. */
    remove: (organizationId: OrganizationId, caseId: CaseId) =>
      promoCodeIds
        .all(sql`
          WITH locked AS (
            SELECT promo_code_id FROM promo_redemptions
            WHERE organization_id = ${organizationId} AND case_id = ${caseId} ORDER BY promo_code_id FOR UPDATE
          )
          DELETE FROM promo_redemptions r USING locked
          WHERE r.organization_id = ${organizationId} AND r.case_id = ${caseId}
            AND r.promo_code_id = locked.promo_code_id
          RETURNING r.promo_code_id AS id
        `)
        .pipe(idsOf),

    /** Counts a use of each, and returns those that had one left. */
    countUses: (organizationId: OrganizationId, ids: ReadonlyArray<PromoCodeId>) =>
      count(organizationId, ids, 1).pipe(idsOf),

    /** Uncounts a use of each. */
    uncountUses: (organizationId: OrganizationId, ids: ReadonlyArray<PromoCodeId>) => count(organizationId, ids, -1)
  }
})
