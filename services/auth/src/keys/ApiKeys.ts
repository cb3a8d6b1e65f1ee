import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import {
  type ApiKey,
  type ApiKeyChange,
  ApiKeyNotFound,
  type ApiKeyRotation,
  type ApiKeysQuery,
  ExpiryNotSooner,
  type IssuedApiKey,
  KeyNotRecognized,
  KeyReplaced,
  LiveKeyInSandbox,
  type NewApiKey,
  OrganizationDisabled,
  type OrganizationNotFound,
  type ResolvedKey,
  type RotatedApiKey
} from "@care/domain/auth"
import { lastMoment } from "@care/domain/http"
import { ApiKeyId, type OrganizationId } from "@care/domain/ids"
import { currentVersion } from "@care/domain/versions"
import {
  cellSetting,
  inTransaction,
  keyHash,
  makeApiKey,
  oldest,
  organizationScope,
  type Page,
  pageFrom,
  readSettings,
  shownPartOf
} from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Organizations } from "../organizations/index.ts"
import { makeApiKeysRepo } from "./ApiKeysRepo.ts"
import { Sandboxes } from "./Sandboxes.ts"

const defaultOverlap = 24 * 60 * 60

// As long from now as the key was issued for.
const expiryLike = ({ createdAt, expiresAt }: ApiKey, now: DateTime.DateTime): Date | null => {
  if (expiresAt === null) return null
  const expiry = DateTime.toEpochMillis(now) + expiresAt.getTime() - createdAt.getTime()
  return new Date(Math.min(expiry, lastMoment.getTime()))
}

/** The API keys of organizations, of which only hashes are stored. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Issues a key of an organization, or a test key of a live organization's sandbox, which it gets with the first one. */
    readonly issue: (
      organizationId: OrganizationId,
      request: typeof NewApiKey.Type
    ) => Effect.Effect<IssuedApiKey, OrganizationNotFound | LiveKeyInSandbox>
    /** Lists the keys of an organization and of its sandbox. */
    readonly list: (
      organizationId: OrganizationId,
      query: ApiKeysQuery
    ) => Effect.Effect<Page<ApiKey>, OrganizationNotFound>
    /** Changes a valid key, which may only expire sooner. */
    readonly change: (
      id: ApiKeyId,
      change: typeof ApiKeyChange.Type
    ) => Effect.Effect<ApiKey, ApiKeyNotFound | ExpiryNotSooner>
    /** Issues a key like a valid one, which expires after the overlap, once. */
    readonly rotate: (
      id: ApiKeyId,
      rotation: typeof ApiKeyRotation.Type
    ) => Effect.Effect<RotatedApiKey, ApiKeyNotFound | KeyReplaced>
    readonly revoke: (id: ApiKeyId) => Effect.Effect<void, ApiKeyNotFound>
    readonly resolve: (keyHash: string) => Effect.Effect<ResolvedKey, KeyNotRecognized | OrganizationDisabled>
  }
>()("@care/auth/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const audit = yield* Audit
      const cell = yield* readSettings(cellSetting)
      const repo = yield* makeApiKeysRepo
      const organizations = yield* Organizations
      const sandboxes = yield* Sandboxes
      const sql = yield* SqlClient.SqlClient

      const insert = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { mode, ...described }: Pick<IssuedApiKey, "allowedNetworks" | "expiresAt" | "label" | "mode" | "scopes">
      ) {
        const key = makeApiKey(cell, mode)
        const apiKey = {
          id: ApiKeyId.make(randomUUID()),
          organizationId,
          prefix: shownPartOf(key),
          createdAt: yield* DateTime.nowAsDate,
          ...described
        }
        yield* repo.insert({ ...apiKey, keyHash: keyHash(key) })
        yield* repo.setVersion(organizationId, currentVersion)
        yield* audit.changed({ organizationId, action: "KEY_ISSUED", apiKeyId: apiKey.id })
        return { ...apiKey, mode, key }
      })

      const lockValid = Effect.fnUntraced(function* (apiKeyId: ApiKeyId) {
        const found = yield* repo.lockValid(apiKeyId, yield* organizationScope, yield* DateTime.nowAsDate)
        return yield* Effect.fromOption(found, () => new ApiKeyNotFound({ apiKeyId }))
      })

      return ApiKeys.of({
        issue: Effect.fn("ApiKeys.issue")(function* (organizationId, request) {
          const organization = yield* organizations.get(organizationId)
          const {
            allowedNetworks = null,
            expiresAt = null,
            label = null,
            mode = organization.mode,
            scopes = null
          } = request
          const { liveOrganizationId } = organization
          if (mode === "live" && liveOrganizationId !== null) return yield* new LiveKeyInSandbox({ liveOrganizationId })
          const owner = mode === organization.mode ? organizationId : yield* sandboxes.require(organizationId)
          return yield* insert(owner, { allowedNetworks, expiresAt, label, mode, scopes })
        }, inTransaction(sql)),
        change: Effect.fn("ApiKeys.change")(function* (apiKeyId, change) {
          const key = yield* lockValid(apiKeyId)
          const {
            allowedNetworks = key.allowedNetworks,
            expiresAt = key.expiresAt,
            label = key.label,
            scopes = key.scopes
          } = change
          if (expiresAt !== null && key.expiresAt !== null && expiresAt > key.expiresAt) {
            return yield* new ExpiryNotSooner()
          }
          const changed = { ...key, allowedNetworks, expiresAt, label, scopes }
          yield* repo.change(changed)
          yield* audit.changed({ organizationId: key.organizationId, action: "KEY_CHANGED", apiKeyId })
          return changed
        }, inTransaction(sql)),
        rotate: Effect.fn("ApiKeys.rotate")(function* (apiKeyId, { expiresAt, overlapSeconds = defaultOverlap }) {
          const key = yield* lockValid(apiKeyId)
          const { organizationId } = key
          const now = yield* DateTime.now
          const end = DateTime.toDateUtc(DateTime.add(now, { seconds: overlapSeconds }))
          const replacedKeyExpiresAt = key.expiresAt !== null && key.expiresAt < end ? key.expiresAt : end
          const replaced = { ...key, expiresAt: replacedKeyExpiresAt }
          if (!(yield* repo.replace(replaced, DateTime.toDateUtc(now)))) {
            return yield* new KeyReplaced({ expiresAt: replacedKeyExpiresAt })
          }
          yield* audit.changed({ organizationId, action: "KEY_CHANGED", apiKeyId })
          const { allowedNetworks, label, mode, scopes } = key
          const issued = yield* insert(organizationId, {
            allowedNetworks,
            expiresAt: expiresAt ?? expiryLike(key, now),
            label,
            mode,
            scopes
          })
          return { ...issued, replacedKeyExpiresAt }
        }, inTransaction(sql)),
        list: Effect.fn("ApiKeys.list")(function* (organizationId, { cursor = oldest, isActive, limit }) {
          yield* organizations.get(organizationId)
          const chosen = isActive === undefined ? undefined : isActive === "true"
          const now = yield* DateTime.nowAsDate
          return pageFrom(yield* repo.page(organizationId, chosen, now, cursor, limit + 1), limit)
        }),
        revoke: Effect.fn("ApiKeys.revoke")(function* (apiKeyId) {
          const revoked = yield* repo.revoke(apiKeyId, yield* organizationScope, yield* DateTime.nowAsDate)
          const { organizationId } = yield* Effect.fromOption(revoked, () => new ApiKeyNotFound({ apiKeyId }))
          yield* audit.changed({ organizationId, action: "KEY_REVOKED", apiKeyId })
        }, inTransaction(sql)),
        resolve: Effect.fn("ApiKeys.resolve")(function* (hash) {
          const now = yield* DateTime.nowAsDate
          const found = yield* repo.findValid(hash, now)
          const key = yield* Effect.fromOption(found, () => new KeyNotRecognized())
          const { allowedNetworks, apiVersion, id, isDisabled, isTest, isUseKnown, movedTo, organizationId, scopes } =
            key
          if (movedTo !== null) return { organizationId, apiKeyId: id, movedTo }
          if (isDisabled) return yield* new OrganizationDisabled()
          if (!isUseKnown) yield* repo.recordUse(id, now)
          return {
            organizationId,
            apiKeyId: id,
            ...(isTest && { isTest }),
            ...(scopes !== null && { scopes }),
            ...(allowedNetworks !== null && { allowedNetworks }),
            ...(apiVersion !== null && { apiVersion })
          }
        })
      })
    })
  ).pipe(Layer.provide([Organizations.layer, Sandboxes.layer]))
}
