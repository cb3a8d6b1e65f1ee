import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { ApiKeyId, OrganizationId } from "../Ids.ts"
import { Mode } from "./Mode.ts"
import { Scope } from "./Scope.ts"

const described = {
  id: ApiKeyId,
  /** Of a test key, the sandbox. */
  organizationId: OrganizationId,
  label: Schema.NullOr(Schema.String),
  mode: Mode,
  prefix: Schema.String,
  createdAt: Timestamp,
  expiresAt: Schema.NullOr(Timestamp),
  /** Null for all scopes. */
  scopes: Schema.NullOr(Schema.Array(Scope)),
  /** Null for all networks. */
  allowedNetworks: Schema.NullOr(Schema.Array(Schema.String))
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
 * The owner of an API key, whether that is a sandbox, the key's scopes and networks unless it has all, the version of its requests, and the
 * cell that the owner moved to, if it did. That cell decides whether the key is still valid.
 */
export const ResolvedKey = Schema.Struct({
  organizationId: OrganizationId,
  apiKeyId: ApiKeyId,
  isTest: Schema.optionalKey(Schema.Literal(true)),
  scopes: Schema.optionalKey(Schema.Array(Scope)),
  allowedNetworks: Schema.optionalKey(Schema.Array(Schema.String)),
  movedTo: Schema.optionalKey(Schema.String),
  apiVersion: Schema.optionalKey(Schema.String)
})
export type ResolvedKey = typeof ResolvedKey.Type

/** An issued key that replaces another one, and until when that works. */
export const RotatedApiKey = Schema.Struct({ ...IssuedApiKey.fields, replacedKeyExpiresAt: Timestamp }).annotate({
  identifier: "RotatedApiKey"
})
export type RotatedApiKey = typeof RotatedApiKey.Type

/** A change that would let a key live longer. */
export class ExpiryNotSooner extends Schema.TaggedError<ExpiryNotSooner>()("ExpiryNotSooner", {}) {}

/** A key is rotated that was rotated before, and works until a time. */
export class KeyReplaced extends Schema.TaggedError<KeyReplaced>()("KeyReplaced", { expiresAt: Timestamp }) {}

/** A live key was asked for in a sandbox. */
export class LiveKeyInSandbox extends Schema.TaggedError<LiveKeyInSandbox>()("LiveKeyInSandbox", {
  liveOrganizationId: OrganizationId
}) {}

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { apiKeyId: ApiKeyId }) {}

/** No valid key has this hash: it is unknown, revoked or expired. */
export class KeyNotRecognized extends Schema.TaggedError<KeyNotRecognized>()("KeyNotRecognized", {}) {}

/** The key is valid, but its organization is disabled. */
export class OrganizationDisabled extends Schema.TaggedError<OrganizationDisabled>()("OrganizationDisabled", {}) {}
