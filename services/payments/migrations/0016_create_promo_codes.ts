import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Promo codes of organizations and global ones (no organization), never removed; the terms that each is found by; and which case used
 * which. A term is a code or a name in lower case, and belongs to one promo code among those with the same owner.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE promo_codes (
      id uuid PRIMARY KEY,
      organization_id uuid,
      code text NOT NULL,
      name text,
      flat_discount numeric(13, 4) CHECK (flat_discount > 0),
      percent_discount numeric(7, 4) CHECK (percent_discount BETWEEN 0 AND 100),
      is_active boolean NOT NULL,
      expires_at timestamptz(3),
      bundle_ids uuid[] NOT NULL,
      max_redemptions integer CHECK (max_redemptions > 0),
      redemptions integer NOT NULL CHECK (redemptions >= 0),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CHECK (num_nonnulls(flat_discount, percent_discount) = 1)
    )
  `
  // For the operator's lists.
  yield* sql`CREATE INDEX promo_codes_by_time ON promo_codes (created_at, id)`
  yield* sql`CREATE INDEX promo_codes_of_organization ON promo_codes (organization_id, created_at, id)`
  yield* sql`
    CREATE TABLE promo_code_terms (
      organization_id uuid,
      term text NOT NULL,
      promo_code_id uuid NOT NULL REFERENCES promo_codes (id),
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT promo_code_terms_unique UNIQUE NULLS NOT DISTINCT (organization_id, term)
    )
  `
  // On an expression: the planner would otherwise use it for one owner's term, too, and read past those of all others.
  yield* sql`CREATE INDEX promo_code_terms_by_term ON promo_code_terms ((term || ''), created_at, promo_code_id)`
  yield* sql`
    CREATE TABLE promo_redemptions (
      organization_id uuid NOT NULL,
      case_id uuid NOT NULL,
      promo_code_id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, case_id, promo_code_id)
    )
  `
})
