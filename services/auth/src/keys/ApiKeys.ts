import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import {
  type ApiKey,
  ApiKeyNotFound,
  type IssuedApiKey,
  KeyNotRecognized,
  OrganizationDisabled,
  type OrganizationNotFound,
  type ResolvedKey,
  type Scope
} from "@care/domain/auth"
import type { PageQuery } from "@care/domain/http"
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

/** The API keys of organizations, of which only hashes are stored. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    readonly issue: (
      organizationId: OrganizationId,
      request: {
        readonly label?: string | undefined
        readonly expiresAt?: Date | undefined
        readonly scopes?: ReadonlyArray<Scope> | undefined
      }
    ) => Effect.Effect<IssuedApiKey, OrganizationNotFound>
    readonly list: (
      organizationId: OrganizationId,
      query: PageQuery
    ) => Effect.Effect<Page<ApiKey>, OrganizationNotFound>
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
      const sql = yield* SqlClient.SqlClient

      return ApiKeys.of({
        issue: Effect.fn("ApiKeys.issue")(function* (organizationId, request) {
          yield* organizations.get(organizationId)
          const key = makeApiKey(cell)
          const apiKey = {
            id: ApiKeyId.make(randomUUID()),
            label: request.label ?? null,
            prefix: shownPartOf(key),
            createdAt: yield* DateTime.nowAsDate,
            expiresAt: request.expiresAt ?? null,
            scopes: request.scopes ?? null
          }
          yield* repo.insert({ ...apiKey, organizationId, keyHash: keyHash(key) })
          yield* repo.setVersion(organizationId, currentVersion)
          yield* audit.changed({ organizationId, action: "KEY_ISSUED" })
          return { ...apiKey, key }
        }, inTransaction(sql)),
        list: Effect.fn("ApiKeys.list")(function* (organizationId, { cursor = oldest, limit }) {
          yield* organizations.get(organizationId)
          return pageFrom(yield* repo.page(organizationId, cursor, limit + 1), limit)
        }),
        revoke: Effect.fn("ApiKeys.revoke")(function* (apiKeyId) {
          const revoked = yield* repo.revoke(apiKeyId, yield* organizationScope, yield* DateTime.nowAsDate)
          const { organizationId } = yield* Effect.fromOption(revoked, () => new ApiKeyNotFound({ apiKeyId }))
          yield* audit.changed({ organizationId, action: "KEY_REVOKED" })
        }, inTransaction(sql)),
        resolve: Effect.fn("ApiKeys.resolve")(function* (hash) {
          const now = yield* DateTime.nowAsDate
          const found = yield* repo.findValid(hash, now)
          const key = yield* Effect.fromOption(found, () => new KeyNotRecognized())
          const { apiVersion, id, isDisabled, isUseKnown, movedTo, organizationId, scopes } = key
          if (movedTo !== null) return { organizationId, apiKeyId: id, movedTo }
          if (isDisabled) return yield* new OrganizationDisabled()
          if (!isUseKnown) yield* repo.recordUse(id, now)
          return {
            ...{ organizationId, apiKeyId: id },
            ...(scopes !== null && { scopes }),
            ...(apiVersion !== null && { apiVersion })
          }
        })
      })
    })
  ).pipe(Layer.provide(Organizations.layer))
}
