import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { CaseId, OrganizationId, UserId } from "../Ids.ts"
import { CaseSnapshot } from "./CaseSnapshot.ts"
import { CaseForbidden, CaseNotFound } from "./errors.ts"

/** Internal: the API of cases for the other services. */
export class CaseLookupApi extends HttpApiGroup.make("caseLookup")
  .add(
    // Returns whether a case of the patient was assigned to a provider. Then fields of the patient's profile are locked.
    HttpApiEndpoint.get("profileLock", "/internal/v1/organizations/:organizationId/patients/:userId/profile-lock", {
      params: { organizationId: OrganizationId, userId: UserId },
      success: Schema.Struct({ isLocked: Schema.Boolean })
    }),
    // Returns the owner of a case, which never changes.
    HttpApiEndpoint.get("owner", "/internal/v1/cases/:caseId/owner", {
      params: { caseId: CaseId },
      success: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
      error: CaseNotFound.pipe(HttpApiSchema.status(404))
    }),
    // Returns the state of a case. From then on each change of it is sent to scheduling (`caseReplica`).
    HttpApiEndpoint.post("follow", "/internal/v1/organizations/:organizationId/cases/:caseId/follow", {
      params: { organizationId: OrganizationId, caseId: CaseId },
      success: CaseSnapshot,
      error: [CaseNotFound.pipe(HttpApiSchema.status(404)), CaseForbidden.pipe(HttpApiSchema.status(403))]
    }),
    // Follows the newest case of a patient that is not archived.
    HttpApiEndpoint.post("followNewest", "/internal/v1/organizations/:organizationId/newest-case/follow", {
      params: { organizationId: OrganizationId },
      payload: Schema.Struct({ email: Email }),
      success: CaseSnapshot,
      error: CaseNotFound.pipe(HttpApiSchema.status(404))
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of cases that its callers load: this group alone. */
export const caseLookupApi = HttpApi.make("cases").add(CaseLookupApi)
