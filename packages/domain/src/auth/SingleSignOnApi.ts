import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { EmailDomain } from "../http/EmailDomain.ts"
import { atMost, listUpTo } from "../http/listUpTo.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { nameUpTo } from "../http/Text.ts"
import { WebUrl } from "../http/WebUrl.ts"
import { OrganizationId } from "../Ids.ts"
import { organizationNotFound } from "./OrganizationsApi.ts"
import { DomainTaken, ProviderUnusable, SingleSignOn, SingleSignOnNotFound } from "./SingleSignOn.ts"

export const NewSingleSignOn = Schema.Struct({
  issuer: WebUrl,
  clientId: nameUpTo(lengths.reference),
  clientSecret: Schema.optionalKey(Schema.NullOr(nameUpTo(lengths.secret))),
  domains: listUpTo(EmailDomain, { ...atMost("domains"), emptyMessage: "must name a domain" }),
  isRequired: Schema.optional(Schema.Boolean)
})
export type NewSingleSignOn = typeof NewSingleSignOn.Type

const path = "/admin/v1/organizations/:organizationId/single-sign-on"
const params = { organizationId: OrganizationId }

const singleSignOnNotFound = problem(
  SingleSignOnNotFound,
  404,
  "No single sign-on",
  ({ organizationId }) => `The organization ${organizationId} has no single sign-on.`
)

export class SingleSignOnApi extends HttpApiGroup.make("singleSignOn")
  .add(
    HttpApiEndpoint.get("get", path, {
      params,
      success: SingleSignOn,
      error: [...operatorErrors, organizationNotFound, singleSignOnNotFound]
    })
      .annotate(OpenApi.Summary, "Read the single sign-on of an organization")
      .annotate(OpenApi.Description, "Returns the setting, without the client's secret."),
    HttpApiEndpoint.put("set", path, {
      params,
      payload: NewSingleSignOn,
      success: SingleSignOn,
      error: [
        ...operatorErrors,
        organizationNotFound,
        problem(
          DomainTaken,
          409,
          "Domain taken",
          ({ domain }) => `The domain ${domain} is of another organization. An operator may give it to this one.`
        ),
        problem(
          ProviderUnusable,
          422,
          "Provider not usable",
          "The issuer has no valid discovery document (/.well-known/openid-configuration): it did not answer in time, names another issuer, or has an endpoint that may not be called."
        )
      ]
    })
      .annotate(OpenApi.Summary, "Set the single sign-on of an organization")
      .annotate(
        OpenApi.Description,
        "Lets the staff with emails of these domains sign in at an OpenID provider. Register `redirectUri` there. The discovery document of the issuer is read first. Without `clientSecret` the stored one stays, unless issuer or client change; null removes it. A domain belongs to one organization. With `isRequired` members with these emails sign in at the provider alone, and neither with codes nor with a passkey alone."
      ),
    HttpApiEndpoint.delete("remove", path, {
      params,
      success: HttpApiSchema.NoContent.annotate({ description: "Done" }),
      error: [...operatorErrors, organizationNotFound, singleSignOnNotFound]
    })
      .annotate(OpenApi.Summary, "Remove the single sign-on of an organization")
      .annotate(OpenApi.Description, "Its staff sign in with codes and passkeys again. Sessions go on.")
  )
  .annotate(OpenApi.Title, "Admin: single sign-on")
  .annotate(OpenApi.Description, "The OpenID provider at which the staff of an organization sign in.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
