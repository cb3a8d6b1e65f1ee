import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { OrganizationSnapshot } from "../auth/Organization.ts"
import { PersonSnapshot } from "../auth/Person.ts"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { CalendarEventId, CaseId, OrganizationId, ProductId, UserId } from "../Ids.ts"
import { PatientHasActiveCase } from "../patients/PatientErasure.ts"
import { PaymentSnapshot } from "../payments/PaymentSnapshot.ts"
import { CaseSnapshot } from "./CaseSnapshot.ts"
import { CaseForbidden, CaseNotFound } from "./errors.ts"

/** Internal: what the other services ask about cases, and tell of what matters to them. */
export class CaseFactsApi extends HttpApiGroup.make("caseFacts")
  .add(
    HttpApiEndpoint.get("profileLock", "/internal/v1/organizations/:organizationId/patients/:userId/profile-lock", {
      params: { organizationId: OrganizationId, userId: UserId },
      success: Schema.Struct({ isLocked: Schema.Boolean })
    }),
    // Decides that a patient is erased, unless they have a case that is worked on, or will be. What was decided stays so:
    // auth is told by a job, should it not hear the answer.
    HttpApiEndpoint.post(
      "eraseInactive",
      "/internal/v1/organizations/:organizationId/patients/:userId/erase-inactive",
      {
        params: { organizationId: OrganizationId, userId: UserId },
        success: HttpApiSchema.NoContent,
        error: PatientHasActiveCase.pipe(HttpApiSchema.status(409))
      }
    ),
    // How somebody is shown from now on; an older version than the one that is kept changes nothing. Of a provider: cases that
    // wait are tried again, once for each version.
    HttpApiEndpoint.post("personChanged", "/internal/v1/people", {
      payload: PersonSnapshot,
      success: HttpApiSchema.NoContent
    }),
    // Whether an organization is disabled from now on; an older version than the one that is kept changes nothing.
    HttpApiEndpoint.post("organizationChanged", "/internal/v1/organizations", {
      payload: OrganizationSnapshot,
      success: HttpApiSchema.NoContent
    }),
    // Whose a case is, which never changes.
    HttpApiEndpoint.get("owner", "/internal/v1/cases/:caseId/owner", {
      params: { caseId: CaseId },
      success: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
      error: CaseNotFound.pipe(HttpApiSchema.status(404))
    }),
    // How a case stands. Whoever asks is told from then on when it moves (`FollowedCasesApi`).
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
    }),
    HttpApiEndpoint.get("product", "/internal/v1/organizations/:organizationId/products/:productId/known", {
      params: { organizationId: OrganizationId, productId: ProductId },
      success: Schema.Struct({ isKnown: Schema.Boolean })
    }),
    // Where a payment stands from now on; an older version than the one that is kept changes nothing. What became of the
    // intent that a case began with opens or closes it, once.
    HttpApiEndpoint.post("paymentChanged", "/internal/v1/payments", {
      payload: PaymentSnapshot,
      success: HttpApiSchema.NoContent
    }),
    // A case has a calendar event, and whether it was cancelled: each is recorded once, however often it is told.
    HttpApiEndpoint.post("calendarEventChanged", "/internal/v1/calendar-events", {
      payload: Schema.Struct({
        organizationId: OrganizationId,
        caseId: CaseId,
        eventId: CalendarEventId,
        isCancelled: Schema.Boolean
      }),
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}
