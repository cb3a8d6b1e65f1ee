import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { ApiKeyId, OrganizationId } from "../Ids.ts"
import { Scope } from "./Scope.ts"

const described = {
  id: ApiKeyId,
  label: Schema.NullOr(Schema.String),
  prefix: Schema.String,
  createdAt: Timestamp,
  expiresAt: Schema.NullOr(Timestamp),
  /** Null for all scopes. */
  scopes: Schema.NullOr(Schema.Array(Scope))
}

/** An API key without its secret: only its first characters. */
export const ApiKey = Schema.Struct({
  ...described,
  lastUsedAt: Schema.NullOr(Timestamp),
  revokedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type

/** A new API key with its secret, which is shown only once. */
export const IssuedApiKey = Schema.Struct({
  ...described,
  key: Schema.String
}).annotate({ identifier: "IssuedApiKey" })
export type IssuedApiKey = typeof IssuedApiKey.Type

/**
 * The owner of an API key, its scopes unless it has all, the version of its requests, and the cell that the owner moved to, if it did. That
 * cell decides whether the key is still valid.
 */
export const ResolvedKey = Schema.Struct({
  organizationId: OrganizationId,
  apiKeyId: ApiKeyId,
  scopes: Schema.optionalKey(Schema.Array(Scope)),
  movedTo: Schema.optionalKey(Schema.String),
  apiVersion: Schema.optionalKey(Schema.String)
})
export type ResolvedKey = typeof ResolvedKey.Type

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { apiKeyId: ApiKeyId }) {}

/** No valid key has this hash: it is unknown, revoked or expired. */
export class KeyNotRecognized extends Schema.TaggedError<KeyNotRecognized>()("KeyNotRecognized", {}) {}

/** The key is valid, but its organization is disabled. */
export class OrganizationDisabled extends Schema.TaggedError<OrganizationDisabled>()("OrganizationDisabled", {}) {}
