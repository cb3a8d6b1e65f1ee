import { ApiKey, type IssuedApiKey, Scope } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { ApiKeyId, OrganizationId } from "@care/domain/ids"
import type { ApiVersion } from "@care/domain/versions"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const keys = rowsOf(ApiKey)

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

const validKeys = rowsOf(
  Schema.Struct({
    id: ApiKeyId,
    organizationId: OrganizationId,
    scopes: Schema.NullOr(Schema.Array(Scope)),
    allowedNetworks: Schema.NullOr(Schema.Array(Schema.String)),
    isDisabled: Schema.Boolean,
    isTest: Schema.Boolean,
    isUseKnown: Schema.Boolean,
    movedTo: Schema.NullOr(Schema.String),
    apiVersion: Schema.NullOr(Schema.String)
  })
)

export const makeApiKeysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shown = sql.literal(`
    id, organization_id, label, CASE WHEN starts_with(prefix, 'cv_test_') THEN 'test' ELSE 'live' END AS mode, prefix, created_at,
    expires_at, scopes, allowed_networks, last_used_at, revoked_at
  `)
  // A person of a live organization has the keys of its sandbox, too.
  const isInScope = (scope: OrganizationId | undefined) =>
    scope === undefined
      ? sql.literal("true")
      : sql`organization_id IN (SELECT id FROM organizations WHERE id = ${scope} OR live_organization_id = ${scope})`
  const isValid = (now: Date) => sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`
  return {
    insert: (row: Omit<IssuedApiKey, "key" | "mode"> & { readonly keyHash: string }) =>
      execute(sql`INSERT INTO api_keys ${sql.insert({ ...row })}`),

    /** Sets the version of an organization's requests, if it has none yet. */
    setVersion: (organizationId: OrganizationId, version: ApiVersion) =>
      execute(
        sql`UPDATE organizations SET api_version = ${version} WHERE id = ${organizationId} AND api_version IS NULL`
      ),

    /** Returns keys of an organization and its sandbox: all, or those that are active now, or the others. */
    page: (
      organizationId: OrganizationId,
      isActive: boolean | undefined,
      now: Date,
      after: PagePosition,
      limit: number
    ) =>
      keys.all(sql`
        SELECT ${shown} FROM api_keys
        WHERE ${isInScope(organizationId)} AND (created_at, id) > (${after.createdAt}, ${after.id})
          AND ${isActive === undefined ? sql.literal("true") : sql`(${isValid(now)}) = ${isActive}::boolean`}
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    /** Locks and returns the key in the scope, unless it is revoked or expired. */
    lockValid: (id: ApiKeyId, scope: OrganizationId | undefined, now: Date) =>
      keys.first(sql`
        SELECT ${shown} FROM api_keys
        WHERE id = ${id} AND ${isInScope(scope)} AND ${isValid(now)}
        FOR UPDATE
      `),

    change: ({ allowedNetworks, expiresAt, id, label, organizationId, scopes }: ApiKey) =>
      execute(sql`
        UPDATE api_keys
        SET label = ${label}, expires_at = ${expiresAt}, scopes = ${scopes}, allowed_networks = ${allowedNetworks}
        WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Lets a key expire because another one replaces it. Returns false if one did before. */
    replace: ({ expiresAt, id, organizationId }: ApiKey, now: Date) =>
      affects(sql`
        UPDATE api_keys SET expires_at = ${expiresAt}, replaced_at = ${now}
        WHERE organization_id = ${organizationId} AND id = ${id} AND replaced_at IS NULL
        RETURNING id
      `),

    /** Revokes a key in the scope, and keeps the time of an earlier revocation. Returns its organization, or none when there is no such key. */
    revoke: (id: ApiKeyId, scope: OrganizationId | undefined, at: Date) =>
      owners.first(sql`
        UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${at}) WHERE id = ${id} AND ${isInScope(scope)}
        RETURNING organization_id
      `),

    /**
     * Returns the valid key with this hash. `isUseKnown`: its last use was recorded within the last minute, or cannot be recorded, because
     * its organization moves. `movedTo`: the cell to which that moved.
     */
    findValid: (keyHash: string, now: Date) =>
      validKeys.first(sql`
        SELECT k.id, k.organization_id, k.scopes, k.allowed_networks, o.is_disabled,
               o.live_organization_id IS NOT NULL AS is_test,
               coalesce(k.last_used_at > ${now}::timestamptz - interval '1 minute', false) OR m.state IS NOT NULL AS is_use_known,
               a.cell AS moved_to, o.api_version
        FROM api_keys k JOIN organizations o ON o.id = k.organization_id
        LEFT JOIN organization_moves m ON m.organization_id = k.organization_id
        LEFT JOIN absent_organizations a ON a.organization_id = k.organization_id
        WHERE k.key_hash = ${keyHash} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now})
      `),

    recordUse: (id: ApiKeyId, at: Date) => execute(sql`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${id}`)
  }
})
