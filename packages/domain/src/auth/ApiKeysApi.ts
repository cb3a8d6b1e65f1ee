import { DateTime, Effect, Schema, SchemaGetter } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { listUpTo } from "../http/listUpTo.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { ApiKeyId, OrganizationId } from "../Ids.ts"
import { AllowedNetwork } from "./AllowedNetwork.ts"
import {
  ApiKey,
  ApiKeyNotFound,
  ExpiryNotSooner,
  IssuedApiKey,
  KeyReplaced,
  LiveKeyInSandbox,
  RotatedApiKey
} from "./ApiKey.ts"
import { Mode } from "./Mode.ts"
import { organizationNotFound } from "./OrganizationsApi.ts"
import { Scope } from "./Scope.ts"

const Expiry = Timestamp.pipe(
  Schema.decode({
    decode: SchemaGetter.checkEffect((moment) =>
      Effect.map(DateTime.nowAsDate, (now) => (moment > now ? undefined : "must be in the future"))
    ),
    encode: SchemaGetter.passthrough()
  })
)

const Scopes = listUpTo(Scope, {
  max: Scope.literals.length,
  tooManyMessage: `must be at most ${Scope.literals.length} scopes`,
  emptyMessage: "must name a scope, or be left out for all scopes"
})

const maxNetworks = 20

const Networks = listUpTo(AllowedNetwork, {
  max: maxNetworks,
  tooManyMessage: `must be at most ${maxNetworks} networks`,
  emptyMessage: "must name a network, or be left out for all networks"
})

export const NewApiKey = Schema.Struct({
  label: Schema.optional(nonBlankUpTo(lengths.name)),
  mode: Schema.optional(Mode),
  expiresAt: Schema.optional(Expiry),
  scopes: Schema.optional(Scopes),
  allowedNetworks: Schema.optional(Networks)
})

/** A change of a key. `scopes` null means all scopes, `allowedNetworks` null all networks. */
export const ApiKeyChange = Schema.Struct({
  label: Schema.optional(nonBlankUpTo(lengths.name)),
  expiresAt: Schema.optional(Expiry),
  scopes: Schema.optionalKey(Schema.NullOr(Scopes)),
  allowedNetworks: Schema.optionalKey(Schema.NullOr(Networks))
})

const day = 86_400

export const ApiKeyRotation = Schema.Struct({
  overlapSeconds: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 * day }))),
  expiresAt: Schema.optional(Expiry)
})

/** The query of a list of keys: all of them, those that work, or those that were revoked or have expired. */
export const ApiKeysQuery = { ...PageQuery, isActive: Schema.optionalKey(Schema.Literals(["true", "false"])) }
export type ApiKeysQuery = Schema.Struct.Type<typeof ApiKeysQuery>

const keyNotFound = problem(
  ApiKeyNotFound,
  404,
  "API key not found",
  ({ apiKeyId }) => `No API key has the id ${apiKeyId}.`
)

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.post("issue", "/admin/v1/organizations/:organizationId/api-keys", {
      params: { organizationId: OrganizationId },
      payload: NewApiKey,
      success: created(IssuedApiKey),
      error: [
        ...operatorErrors,
        organizationNotFound,
        problem(
          LiveKeyInSandbox,
          422,
          "Sandbox",
          ({ liveOrganizationId }) =>
            `A sandbox has test keys only: issue a live key for its live organization ${liveOrganizationId}.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Issue an API key")
      .annotate(
        OpenApi.Description,
        "Issue an API key. The key itself is shown only in this response. Without `scopes` it may do everything, without `allowedNetworks` it works from everywhere. With the `mode` `test`, a live organization gets a key of its sandbox, which its first test key makes: an organization with data, webhook endpoints, limits and a care team of its own. By default the mode is that of the organization."
      ),
    HttpApiEndpoint.get("list", "/admin/v1/organizations/:organizationId/api-keys", {
      params: { organizationId: OrganizationId },
      query: ApiKeysQuery,
      success: pageOf(ApiKey),
      error: [...operatorErrors, organizationNotFound]
    })
      .annotate(OpenApi.Summary, "List API keys")
      .annotate(
        OpenApi.Description,
        "List the API keys of an organization and of its sandbox, oldest first, without the keys themselves. isActive=true lists those that work, isActive=false those that were revoked or have expired."
      ),
    HttpApiEndpoint.patch("change", "/admin/v1/api-keys/:apiKeyId", {
      params: { apiKeyId: ApiKeyId },
      payload: ApiKeyChange,
      success: ApiKey,
      error: [
        ...operatorErrors,
        keyNotFound,
        problem(ExpiryNotSooner, 422, "Not sooner", "A key may only expire sooner than before: rotate it instead.")
      ]
    })
      .annotate(OpenApi.Summary, "Change an API key")
      .annotate(
        OpenApi.Description,
        "Change the given fields of a valid API key, within 5 seconds. It may only expire sooner than before. `scopes: null` means all scopes, `allowedNetworks: null` all networks."
      ),
    HttpApiEndpoint.post("rotate", "/admin/v1/api-keys/:apiKeyId/rotate", {
      params: { apiKeyId: ApiKeyId },
      payload: ApiKeyRotation,
      success: created(RotatedApiKey),
      error: [
        ...operatorErrors,
        keyNotFound,
        problem(
          KeyReplaced,
          409,
          "Already replaced",
          ({ expiresAt }) =>
            `The key has been replaced, and works until ${expiresAt.toISOString()}: rotate the new one.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Rotate an API key")
      .annotate(
        OpenApi.Description,
        "Issue a key with the label, scopes and networks of a valid one, which expires after `overlapSeconds`: 24 hours by default, at most 30 days, 0 for at once. Without `expiresAt` it lives as long as the old one was issued for. A key is rotated once."
      ),
    HttpApiEndpoint.delete("revoke", "/admin/v1/api-keys/:apiKeyId", {
      params: { apiKeyId: ApiKeyId },
      success: HttpApiSchema.NoContent.annotate({ description: "Done" }),
      error: [...operatorErrors, keyNotFound]
    })
      .annotate(OpenApi.Summary, "Revoke an API key")
      .annotate(OpenApi.Description, "Revoke an API key. It stops working within 5 seconds.")
  )
  .annotate(OpenApi.Title, "Admin: API keys")
  .annotate(OpenApi.Description, "The API keys of organizations.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
