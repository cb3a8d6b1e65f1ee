import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { CellName } from "../http/CellName.ts"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { PageQuery, pageOf } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { nameUpTo } from "../http/Text.ts"
import { OrganizationId } from "../Ids.ts"
import { ApiVersion } from "../versions/apiVersions.ts"
import { Mode } from "./Mode.ts"
import { Organization, OrganizationNotFound } from "./Organization.ts"

/** 404 of an unknown organization, for all admin endpoints. */
export const organizationNotFound = problem(
  OrganizationNotFound,
  404,
  "Organization not found",
  ({ organizationId }) => `No organization has the id ${organizationId}.`
)

const name = nameUpTo(lengths.line)

export const NewOrganization = Schema.Struct({
  name,
  contactEmail: Schema.optional(Email),
  cell: Schema.optional(CellName)
})

/** A change of an organization. Null removes the contactEmail. */
export const OrganizationChange = Schema.Struct({
  name: Schema.optional(name),
  contactEmail: Schema.optionalKey(Schema.NullOr(Email)),
  isDisabled: Schema.optional(Schema.Boolean),
  supportMayReadAnswers: Schema.optional(Schema.Boolean),
  apiVersion: Schema.optional(ApiVersion)
})
export type OrganizationChange = typeof OrganizationChange.Type

export const OrganizationsQuery = { ...PageQuery, mode: Schema.optionalKey(Mode) }
export type OrganizationsQuery = Schema.Struct.Type<typeof OrganizationsQuery>

export class OrganizationsApi extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.post("create", "/admin/v1/organizations", {
      payload: NewOrganization,
      success: created(Organization),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "Create an organization")
      .annotate(
        OpenApi.Description,
        "Create an organization. A notice is sent to contactEmail when one of its webhook endpoints is disabled; without contactEmail, to its active members with the role ADMIN. It belongs to `cell`, by default the one with the fewest organizations."
      ),
    HttpApiEndpoint.get("list", "/admin/v1/organizations", {
      query: OrganizationsQuery,
      success: pageOf(Organization),
      error: operatorErrors
    })
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List organizations")
      .annotate(OpenApi.Description, "List all organizations, or those of a mode, oldest first."),
    HttpApiEndpoint.get("get", "/admin/v1/organizations/:organizationId", {
      params: { organizationId: OrganizationId },
      success: Organization,
      error: [...operatorErrors, organizationNotFound]
    }).annotate(OpenApi.Summary, "Read an organization"),
    HttpApiEndpoint.patch("update", "/admin/v1/organizations/:organizationId", {
      params: { organizationId: OrganizationId },
      payload: OrganizationChange,
      success: Organization,
      error: [...operatorErrors, organizationNotFound]
    })
      .annotate(OpenApi.Summary, "Change an organization")
      .annotate(
        OpenApi.Description,
        "Rename an organization, change its contactEmail (null removes it), or disable it. The keys of a disabled organization and of its sandbox stop working within 5 seconds, and their webhook endpoints receive nothing. When it is enabled again, they receive the events of at most the last 30 days that waited. Only operators may change isDisabled, and not that of a sandbox, which has its live organization's. supportMayReadAnswers lets SUPPORT read the answers to forms, and files. apiVersion is the version of its partner requests without the header `care-version`; it is set when the first key is issued, and a change applies within 5 seconds."
      )
  )
  .annotate(OpenApi.Title, "Admin: organizations")
  .annotate(OpenApi.Description, "The partners of the platform.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
