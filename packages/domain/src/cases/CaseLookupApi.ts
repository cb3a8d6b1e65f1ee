import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { CaseId, OrganizationId, UserId } from "../Ids.ts"
import { CaseSnapshot } from "./CaseSnapshot.ts"
import { CaseForbidden, CaseNotFound } from "./errors.ts"

/** Internal: what the other services ask about cases. */
export class CaseLookupApi extends HttpApiGroup.make("caseLookup")
  .add(
    // Whether a case of the patient was given to a provider, so that fields of their profile are locked.
    HttpApiEndpoint.get("profileLock", "/internal/v1/organizations/:organizationId/patients/:userId/profile-lock", {
      params: { organizationId: OrganizationId, userId: UserId },
      success: Schema.Struct({ isLocked: Schema.Boolean })
    }),
    // The owner of a case never changes.
    HttpApiEndpoint.get("owner", "/internal/v1/cases/:caseId/owner", {
      params: { caseId: CaseId },
      success: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
      error: CaseNotFound.pipe(HttpApiSchema.status(404))
    }),
    // The state of a case, which is sent to scheduling from then on when it changes (`caseReplica`).
    HttpApiEndpoint.post("follow", "/internal/v1/organizations/:organizationId/cases/:caseId/follow", {
      params: { organizationId: OrganizationId, caseId: CaseId },
      success: CaseSnapshot,
      error: [CaseNotFound.pipe(HttpApiSchema.status(404)), CaseForbidden.pipe(HttpApiSchema.status(403))]
    }),
    // The same of the newest case of a patient that is not archived.
    HttpApiEndpoint.post("followNewest", "/internal/v1/organizations/:organizationId/newest-case/follow", {
      params: { organizationId: OrganizationId },
      payload: Schema.Struct({ email: Email }),
      success: CaseSnapshot,
      error: CaseNotFound.pipe(HttpApiSchema.status(404))
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}
