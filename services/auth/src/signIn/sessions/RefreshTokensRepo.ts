import { type Provenance, recorded } from "@care/audit"
import { Role } from "@care/domain/auth"
import { OrganizationId, SessionId, UserId } from "@care/domain/ids"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { livingUser, livingUsers } from "../../people/index.ts"

interface NewFamily {
  readonly id: SessionId
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly createdAt: Date
  readonly absoluteExpiresAt: Date
  readonly tokenHash: string
  readonly expiresAt: Date
}

/** The exchange of a presented token for the next. */
interface Rotation {
  readonly provenance: Provenance
  readonly organizationId: OrganizationId
  readonly presentedHash: string
  readonly tokenHash: string
  readonly now: Date
  readonly expiresAt: Date
}

const RotatedToken = Schema.Struct({ sessionId: SessionId, userId: UserId, role: Role, absoluteExpiresAt: Schema.Date })

export type RotatedToken = typeof RotatedToken.Type

const rotatedTokens = rowsOf(RotatedToken)

const knownTokens = rowsOf(
  Schema.Struct({
    familyId: SessionId,
    organizationId: OrganizationId,
    isRevoked: Schema.Boolean,
    expiresAt: Schema.Date,
    absoluteExpiresAt: Schema.Date
  })
)

export const makeRefreshTokensRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Starts a session with its first token. Returns false when the user is gone. */
    insertFamily: ({ absoluteExpiresAt, createdAt, expiresAt, id, organizationId, tokenHash, userId }: NewFamily) =>
      affects(sql`
        WITH family AS (
          INSERT INTO refresh_token_families (organization_id, id, user_id, created_at, absolute_expires_at, expires_at)
          SELECT organization_id, ${id}::uuid, id, ${createdAt}::timestamptz, ${absoluteExpiresAt}::timestamptz,
                 ${expiresAt}::timestamptz
          ${livingUser(sql, organizationId, userId)}
          RETURNING organization_id, id
        )
        INSERT INTO refresh_tokens (organization_id, token_hash, family_id, created_at, expires_at)
        SELECT organization_id, ${tokenHash}, id, ${createdAt}::timestamptz, ${expiresAt}::timestamptz FROM family
        RETURNING family_id
      `),

    /**
     * Revokes the presented token and stores the next, unless either may not be used any more. It is one statement, because a lock, a
     * decision and a write would take four round trips instead of one. It locks the family, so that one of parallel callers wins,
     * and none passes a revocation of the family.
     */
    rotate: ({ provenance, expiresAt, now, organizationId, presentedHash, tokenHash }: Rotation) =>
      rotatedTokens.first(sql`
        WITH family AS (
          SELECT f.id, f.organization_id, f.user_id, f.absolute_expires_at
          FROM refresh_token_families f
          JOIN refresh_tokens t ON t.organization_id = f.organization_id AND t.family_id = f.id
          WHERE t.organization_id = ${organizationId} AND t.token_hash = ${presentedHash}
            AND f.revoked_at IS NULL AND f.absolute_expires_at > ${now}
          FOR UPDATE OF f
        ), rotated AS (
          UPDATE refresh_tokens t SET revoked_at = ${now}
          FROM family f
          JOIN ${sql.literal(livingUsers)} u ON u.organization_id = f.organization_id AND u.id = f.user_id
          WHERE t.organization_id = f.organization_id AND t.token_hash = ${presentedHash} AND t.family_id = f.id
            AND t.revoked_at IS NULL AND t.expires_at > ${now}
          RETURNING f.organization_id, f.id AS family_id, u.id AS user_id, u.role, f.absolute_expires_at
        ), issued AS (
          INSERT INTO refresh_tokens (organization_id, token_hash, family_id, created_at, expires_at)
          SELECT organization_id, ${tokenHash}, family_id, ${now}::timestamptz, ${expiresAt}::timestamptz FROM rotated
        ), prolonged AS (
          UPDATE refresh_token_families f SET expires_at = least(f.absolute_expires_at, ${expiresAt}::timestamptz)
          FROM rotated WHERE f.organization_id = rotated.organization_id AND f.id = rotated.family_id
        ), ${recorded(sql, sql`SELECT organization_id, NULL::uuid AS case_id, user_id FROM rotated`, {
          action: "SESSION_RENEWED",
          ...provenance
        })}
        SELECT family_id AS session_id, user_id, role, absolute_expires_at FROM rotated
      `),

    /** Returns a token of any organization, because a token of another organization has a refusal of its own. */
    find: (tokenHash: string) =>
      knownTokens.first(sql`
        SELECT t.family_id, f.organization_id, t.expires_at, f.absolute_expires_at,
               t.revoked_at IS NOT NULL OR f.revoked_at IS NOT NULL AS is_revoked
        FROM refresh_tokens t
        JOIN refresh_token_families f ON f.organization_id = t.organization_id AND f.id = t.family_id
        WHERE t.token_hash = ${tokenHash}
      `),

    revokeFamily: (organizationId: OrganizationId, id: SessionId, now: Date) =>
      execute(sql`
        UPDATE refresh_token_families SET revoked_at = ${now}
        WHERE organization_id = ${organizationId} AND id = ${id} AND revoked_at IS NULL
      `),

    /** Revokes the family of a token that was issued through the organization, if there is one. */
    revokeFamilyOf: (organizationId: OrganizationId, tokenHash: string, provenance: Provenance) =>
      execute(sql`
        WITH revoked AS (
          UPDATE refresh_token_families f SET revoked_at = ${provenance.now}
          FROM refresh_tokens t
          WHERE t.organization_id = ${organizationId} AND t.token_hash = ${tokenHash}
            AND f.organization_id = t.organization_id AND f.id = t.family_id AND f.revoked_at IS NULL
          RETURNING f.organization_id, f.user_id
        ), ${recorded(sql, sql`SELECT organization_id, NULL::uuid AS case_id, user_id FROM revoked`, {
          action: "SIGNED_OUT",
          ...provenance
        })}
        SELECT organization_id FROM revoked
      `),

    revokeFamiliesOf: (organizationId: OrganizationId, userId: UserId, now: Date) =>
      execute(sql`
        UPDATE refresh_token_families SET revoked_at = ${now}
        WHERE organization_id = ${organizationId} AND user_id = ${userId} AND revoked_at IS NULL
      `),

    isLiving: (organizationId: OrganizationId, id: SessionId) =>
      affects(sql`
        SELECT id FROM refresh_token_families
        WHERE organization_id = ${organizationId} AND id = ${id} AND revoked_at IS NULL
      `)
  }
})
