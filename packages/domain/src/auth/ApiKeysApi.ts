import { DateTime, Effect, Schema, SchemaGetter } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { optionalListUpTo } from "../http/listUpTo.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { ApiKeyId, OrganizationId } from "../Ids.ts"
import { ApiKey, ApiKeyNotFound, IssuedApiKey } from "./ApiKey.ts"
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

export const NewApiKey = Schema.Struct({
  label: Schema.optional(nonBlankUpTo(lengths.name)),
  expiresAt: Schema.optional(Expiry),
  scopes: optionalListUpTo(Scope, {
    max: Scope.literals.length,
    tooManyMessage: `must be at most ${Scope.literals.length} scopes`,
    emptyMessage: "must name a scope, or be left out for all scopes"
  })
})

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.post("issue", "/admin/v1/organizations/:organizationId/api-keys", {
      params: { organizationId: OrganizationId },
      payload: NewApiKey,
      success: created(IssuedApiKey),
      error: [...operatorErrors, organizationNotFound]
    })
      .annotate(OpenApi.Summary, "Issue an API key")
      .annotate(
        OpenApi.Description,
        "Issue an API key. The key itself is shown only in this response. Without `scopes` it may do everything."
      ),
    HttpApiEndpoint.get("list", "/admin/v1/organizations/:organizationId/api-keys", {
      params: { organizationId: OrganizationId },
      query: PageQuery,
      success: pageOf(ApiKey),
      error: [...operatorErrors, organizationNotFound]
    })
      .annotate(OpenApi.Summary, "List API keys")
      .annotate(
        OpenApi.Description,
        "List the API keys of an organization, oldest first, without the keys themselves."
      ),
    HttpApiEndpoint.delete("revoke", "/admin/v1/api-keys/:apiKeyId", {
      params: { apiKeyId: ApiKeyId },
      success: HttpApiSchema.NoContent.annotate({ description: "Done" }),
      error: [
        ...operatorErrors,
        problem(ApiKeyNotFound, 404, "API key not found", ({ apiKeyId }) => `No API key has the id ${apiKeyId}.`)
      ]
    })
      .annotate(OpenApi.Summary, "Revoke an API key")
      .annotate(OpenApi.Description, "Revoke an API key. It stops working within 5 seconds.")
  )
  .annotate(OpenApi.Title, "Admin: API keys")
  .annotate(OpenApi.Description, "The API keys of organizations.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
