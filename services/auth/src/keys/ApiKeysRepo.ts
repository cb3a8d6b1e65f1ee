import { ApiKey, type ApiKeyId, OrganizationId, PagePosition } from "@care/domain"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** A key as it is stored: never the key itself. */
export interface NewApiKeyRow {
  readonly id: ApiKeyId
  readonly organizationId: OrganizationId
  readonly label: string | null
  readonly prefix: string
  readonly keyHash: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

const ResolvedKey = Schema.Struct({
  id: ApiKey.fields.id,
  organizationId: OrganizationId,
  isDisabled: Schema.Boolean,
  isUseKnown: Schema.Boolean
})

/** SQL of API keys. */
export class ApiKeysRepo extends Context.Service<
  ApiKeysRepo,
  {
    readonly insert: (row: NewApiKeyRow) => Effect.Effect<void>
    readonly page: (
      organizationId: OrganizationId,
      after: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Marks a key as revoked, keeping the time of an earlier revocation. False when there is no such key. */
    readonly revoke: (id: ApiKeyId, at: Date) => Effect.Effect<boolean>
    /** The living key with this hash. `isUseKnown` is false when its last use was recorded more than a minute ago. */
    readonly findLiving: (keyHash: string, now: Date) => Effect.Effect<Option.Option<typeof ResolvedKey.Type>>
    readonly recordUse: (id: ApiKeyId, at: Date) => Effect.Effect<void>
  }
>()("@care/auth/keys/ApiKeysRepo") {
  static readonly layer = Layer.effect(
    ApiKeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const page = SqlSchema.findAll({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          ...PagePosition.fields,
          limit: Schema.Int
        }),
        Result: ApiKey,
        execute: ({ createdAt, id, limit, organizationId }) => sql`
          SELECT id, label, prefix, created_at, expires_at, last_used_at, revoked_at FROM api_keys
          WHERE organization_id = ${organizationId} AND (created_at, id) > (${createdAt}, ${id})
          ORDER BY created_at, id
          LIMIT ${limit}
        `
      })

      const findLiving = SqlSchema.findOneOption({
        Request: Schema.Struct({ keyHash: Schema.String, now: Schema.Date }),
        Result: ResolvedKey,
        execute: ({ keyHash, now }) => sql`
          SELECT k.id, k.organization_id, o.is_disabled,
                 coalesce(k.last_used_at > ${now}::timestamptz - interval '1 minute', false) AS is_use_known
          FROM api_keys k JOIN organizations o ON o.id = k.organization_id
          WHERE k.key_hash = ${keyHash} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now})
        `
      })

      return ApiKeysRepo.of({
        insert: (row) => Effect.orDie(sql`INSERT INTO api_keys ${sql.insert({ ...row })}`),
        page: (organizationId, after, limit) => Effect.orDie(page({ organizationId, ...after, limit })),
        revoke: (id, at) =>
          sql`UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${at}) WHERE id = ${id} RETURNING id`.pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          ),
        findLiving: (keyHash, now) => Effect.orDie(findLiving({ keyHash, now })),
        recordUse: (id, at) => Effect.orDie(sql`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${id}`)
      })
    })
  )
}
