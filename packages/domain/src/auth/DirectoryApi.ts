import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { ReportedAddress } from "../http/KnownAddress.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { UserIsStaff } from "../patients/PatientErasure.ts"
import { KeyNotRecognized, OrganizationDisabled, ResolvedKey } from "./ApiKey.ts"
import { Incident } from "./Incident.ts"
import { Mode } from "./Mode.ts"
import { Organization, OrganizationNotFound } from "./Organization.ts"
import { Enrollment, EnrollmentOutcome, PatientCompletion } from "./Patient.ts"
import { PersonSnapshot } from "./Person.ts"
import { PrescriberSummary } from "./PrescriberSummary.ts"
import { Profile } from "./Profile.ts"
import { ProviderUnknown, UserNotFound } from "./User.ts"
import { UserIdentifier } from "./UserIdentifier.ts"

/**
 * Internal: the API of auth for the other services. Both sides use this contract, so its errors travel unchanged, with their tags. None of
 * it is reachable from outside.
 */
export class DirectoryApi extends HttpApiGroup.make("directory")
  .add(
    HttpApiEndpoint.post("resolveKey", "/internal/v1/keys/resolve", {
      payload: Schema.Struct({ keyHash: textUpTo(lengths.reference) }),
      success: ResolvedKey,
      error: [KeyNotRecognized.pipe(HttpApiSchema.status(404)), OrganizationDisabled.pipe(HttpApiSchema.status(403))]
    }),
    HttpApiEndpoint.get("countOrganizations", "/internal/v1/organization-count", {
      success: Schema.Struct({ count: Schema.Natural })
    }),
    HttpApiEndpoint.get("organization", "/internal/v1/organizations/:organizationId", {
      params: { organizationId: OrganizationId },
      // Version 1 sends no version of the API, and knows no sandboxes.
      success: Schema.Struct({
        ...Organization.fields,
        apiVersion: Schema.optionalKey(Schema.String),
        mode: Schema.optionalKey(Mode),
        liveOrganizationId: Schema.optionalKey(Schema.NullOr(OrganizationId))
      }),
      error: OrganizationNotFound.pipe(HttpApiSchema.status(404))
    }),
    // Returns the newest incidents of the status page.
    HttpApiEndpoint.get("incidents", "/internal/v1/incidents", { success: Schema.Array(Incident) }),
    // Enrolls patients of any organizations in one request. The outcomes are in the order of the request.
    HttpApiEndpoint.post("enrollPatients", "/internal/v1/patients/enroll", {
      payload: Schema.Array(Enrollment),
      success: Schema.Array(EnrollmentOutcome)
    }),
    HttpApiEndpoint.post("completePatient", "/internal/v1/patients/complete", {
      payload: PatientCompletion,
      success: HttpApiSchema.NoContent
    }),
    // Returns the organization of a patient, also of a deleted or an erased one.
    HttpApiEndpoint.get("patientOwner", "/internal/v1/patients/:userId/owner", {
      params: { userId: UserId },
      query: { organizationId: Schema.optionalKey(OrganizationId) },
      success: Schema.Struct({ organizationId: OrganizationId }),
      error: [UserNotFound.pipe(HttpApiSchema.status(404)), UserIsStaff.pipe(HttpApiSchema.status(422))]
    }),
    // Returns null for a user whom the organization does not have, or not any more.
    HttpApiEndpoint.get("patientProfile", "/internal/v1/organizations/:organizationId/patients/:userId/profile", {
      params: { organizationId: OrganizationId, userId: UserId },
      success: Schema.Struct({ profile: Schema.NullOr(Profile) })
    }),
    // Returns null for a user whom the organization does not know, and while no street is known.
    HttpApiEndpoint.get("patientAddress", "/internal/v1/organizations/:organizationId/patients/:userId/address", {
      params: { organizationId: OrganizationId, userId: UserId },
      success: Schema.Struct({ reported: Schema.NullOr(ReportedAddress) })
    }),
    HttpApiEndpoint.post("prescriber", "/internal/v1/providers/prescriber", {
      payload: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
      success: PrescriberSummary,
      error: ProviderUnknown.pipe(HttpApiSchema.status(404))
    }),
    // Returns the organization's users with these ids, including deleted ones.
    HttpApiEndpoint.post("people", "/internal/v1/people/find", {
      payload: Schema.Struct({ organizationId: OrganizationId, userIds: Schema.Array(UserId) }),
      success: Schema.Array(PersonSnapshot)
    }),
    // Returns when the oldest living user of any organization with this identifier was created. Other cells ask this.
    HttpApiEndpoint.post("findUser", "/internal/v1/users/find", {
      payload: UserIdentifier,
      success: Schema.Struct({ createdAt: Schema.NullOr(Timestamp) })
    }),
    // Returns the organization's users with these emails, without deleted ones.
    HttpApiEndpoint.post("peopleByEmail", "/internal/v1/people/find-by-email", {
      payload: Schema.Struct({ organizationId: OrganizationId, emails: Schema.Array(Email) }),
      success: Schema.Array(PersonSnapshot)
    }),
    HttpApiEndpoint.get("providers", "/internal/v1/organizations/:organizationId/providers", {
      params: { organizationId: OrganizationId },
      success: Schema.Array(PersonSnapshot)
    }),
    // Adds a provider to a sandbox that has none.
    HttpApiEndpoint.post("requireProvider", "/internal/v1/organizations/:organizationId/providers", {
      params: { organizationId: OrganizationId },
      success: HttpApiSchema.NoContent,
      error: OrganizationNotFound.pipe(HttpApiSchema.status(404))
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of auth that its callers load: this group alone. */
export const directoryApi = HttpApi.make("auth").add(DirectoryApi)
