import { OrganizationId, Role, SessionId, UserId } from "@care/domain"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** A family about to be stored, with its first token. */
export interface NewFamily {
  readonly id: SessionId
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly createdAt: Date
  readonly absoluteExpiresAt: Date
  readonly tokenHash: string
  readonly expiresAt: Date
}

/** A token takes the place of another one. */
export interface Rotation {
  readonly organizationId: OrganizationId
  readonly presentedHash: string
  readonly tokenHash: string
  readonly now: Date
  readonly expiresAt: Date
}

const RotatedToken = Schema.Struct({ sessionId: SessionId, userId: UserId, role: Role, absoluteExpiresAt: Schema.Date })

/** Whose sign-in went on. */
export type RotatedToken = typeof RotatedToken.Type

const KnownToken = Schema.Struct({
  familyId: Schema.String,
  organizationId: OrganizationId,
  isRevoked: Schema.Boolean,
  expiresAt: Schema.Date,
  absoluteExpiresAt: Schema.Date
})

/** SQL of refresh tokens. */
export class RefreshTokensRepo extends Context.Service<
  RefreshTokensRepo,
  {
    readonly insertFamily: (family: NewFamily) => Effect.Effect<void>
    /**
     * Revokes the presented token and stores the next, in one statement that one of many parallel callers wins: the
     * family's row is locked, so that no rotation slips past a revocation of the family.
     */
    readonly rotate: (rotation: Rotation) => Effect.Effect<Option.Option<RotatedToken>>
    /** A token, whoever it was issued through: one of another organization is refused with words of its own. */
    readonly find: (tokenHash: string) => Effect.Effect<Option.Option<typeof KnownToken.Type>>
    readonly revokeFamily: (organizationId: OrganizationId, familyId: string, now: Date) => Effect.Effect<void>
    /** True for a family that was not revoked. */
    readonly isLiving: (organizationId: OrganizationId, id: SessionId) => Effect.Effect<boolean>
    /** Revokes all families of a patient. */
    readonly revokeFamiliesOf: (organizationId: OrganizationId, userId: UserId, now: Date) => Effect.Effect<void>
    /** Revokes the family of a token that was issued through the organization, if there is one. */
    readonly revokeFamilyOf: (organizationId: OrganizationId, tokenHash: string, now: Date) => Effect.Effect<void>
  }
>()("@care/auth/sessions/RefreshTokensRepo") {
  static readonly layer = Layer.effect(
    RefreshTokensRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const insertFamily = ({ createdAt, expiresAt, tokenHash, ...family }: NewFamily) => sql`
        WITH family AS (
          INSERT INTO refresh_token_families ${sql.insert({ ...family, createdAt })} RETURNING organization_id, id
        )
        INSERT INTO refresh_tokens (organization_id, token_hash, family_id, created_at, expires_at)
        SELECT organization_id, ${tokenHash}, id, ${createdAt}::timestamptz, ${expiresAt}::timestamptz FROM family
      `

      const rotate = SqlSchema.findOneOption({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          presentedHash: Schema.String,
          tokenHash: Schema.String,
          now: Schema.Date,
          expiresAt: Schema.Date
        }),
        Result: RotatedToken,
        execute: ({ expiresAt, now, organizationId, presentedHash, tokenHash }) => sql`
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
            JOIN users u ON u.organization_id = f.organization_id AND u.id = f.user_id AND u.deleted_at IS NULL
            WHERE t.organization_id = f.organization_id AND t.token_hash = ${presentedHash} AND t.family_id = f.id
              AND t.revoked_at IS NULL AND t.expires_at > ${now}
            RETURNING f.organization_id, f.id AS family_id, u.id AS user_id, u.role, f.absolute_expires_at
          ), issued AS (
            INSERT INTO refresh_tokens (organization_id, token_hash, family_id, created_at, expires_at)
            SELECT organization_id, ${tokenHash}, family_id, ${now}::timestamptz, ${expiresAt}::timestamptz FROM rotated
          )
          SELECT family_id AS session_id, user_id, role, absolute_expires_at FROM rotated
        `
      })

      const find = SqlSchema.findOneOption({
        Request: Schema.Struct({ tokenHash: Schema.String }),
        Result: KnownToken,
        execute: ({ tokenHash }) => sql`
          SELECT t.family_id, f.organization_id, t.expires_at, f.absolute_expires_at,
                 t.revoked_at IS NOT NULL OR f.revoked_at IS NOT NULL AS is_revoked
          FROM refresh_tokens t
          JOIN refresh_token_families f ON f.organization_id = t.organization_id AND f.id = t.family_id
          WHERE t.token_hash = ${tokenHash}
        `
      })

      return RefreshTokensRepo.of({
        insertFamily: (family) => Effect.orDie(insertFamily(family)),
        rotate: (rotation) => Effect.orDie(rotate(rotation)),
        find: (tokenHash) => Effect.orDie(find({ tokenHash })),
        revokeFamily: (organizationId, familyId, now) =>
          Effect.orDie(sql`
            UPDATE refresh_token_families SET revoked_at = ${now}
            WHERE organization_id = ${organizationId} AND id = ${familyId} AND revoked_at IS NULL
          `),
        revokeFamilyOf: (organizationId, tokenHash, now) =>
          Effect.orDie(sql`
            UPDATE refresh_token_families f SET revoked_at = ${now}
            FROM refresh_tokens t
            WHERE t.organization_id = ${organizationId} AND t.token_hash = ${tokenHash}
              AND f.organization_id = t.organization_id AND f.id = t.family_id AND f.revoked_at IS NULL
          `),
        isLiving: (organizationId, id) =>
          sql`
            SELECT id FROM refresh_token_families
            WHERE organization_id = ${organizationId} AND id = ${id} AND revoked_at IS NULL
          `.pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          ),
        revokeFamiliesOf: (organizationId, userId, now) =>
          Effect.orDie(sql`
            UPDATE refresh_token_families SET revoked_at = ${now}
            WHERE organization_id = ${organizationId} AND user_id = ${userId} AND revoked_at IS NULL
          `)
      })
    })
  )
}
