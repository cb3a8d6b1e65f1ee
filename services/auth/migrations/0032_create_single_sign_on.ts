import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The OpenID providers of organizations, with sealed secrets. A domain of emails tells the organization of who signs in, so it is found by
 * itself. A sign-in in progress has the hashes of its state and of a cookie of its browser. It begins without a person, so it belongs to the
 * organization of nobody, and is not copied when one moves.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE single_sign_ons (
      organization_id uuid PRIMARY KEY REFERENCES organizations (id),
      issuer text NOT NULL,
      client_id text NOT NULL,
      client_secret text,
      is_required boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`
    CREATE TABLE single_sign_on_domains (
      domain text PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES single_sign_ons (organization_id)
    )
  `
  yield* sql`CREATE INDEX single_sign_on_domains_by_organization ON single_sign_on_domains (organization_id, domain)`
  yield* sql`
    CREATE TABLE sign_ons_in_progress (
      organization_id uuid NOT NULL,
      state_hash text NOT NULL,
      for_organization_id uuid NOT NULL,
      browser_hash text NOT NULL,
      nonce text NOT NULL,
      code_verifier text NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, state_hash)
    )
  `
  yield* sql`
    CREATE INDEX sign_ons_in_progress_by_target ON sign_ons_in_progress (organization_id, for_organization_id, expires_at)
  `
  yield* sql`CREATE INDEX sign_ons_in_progress_by_expiry ON sign_ons_in_progress (expires_at)`
})
