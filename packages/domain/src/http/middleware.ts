import { Context, Schema } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { Role } from "../auth/Role.ts"
import { OrganizationId, type SessionId, UserId } from "../Ids.ts"
import type { Partner } from "./callers.ts"

/** The documented claims of a patient's access token. Without `cell` it is of the first cell. */
export const AccessClaims = Schema.Struct({
  userId: UserId,
  organizationId: OrganizationId,
  type: Schema.Literal("patient-portal"),
  role: Role,
  organizationAccessRole: Role,
  cell: Schema.optionalKey(Schema.String)
})
export type AccessClaims = typeof AccessClaims.Type

/** The claims of a verified token of this cell, with its session. */
export interface VerifiedClaims extends Omit<AccessClaims, "cell"> {
  readonly sessionId: SessionId
}

/** The patient of the request's access token. */
export class SignedInPatient extends Context.Service<SignedInPatient, VerifiedClaims>()(
  "@care/domain/http/SignedInPatient"
) {}

/** Answers errors outside of handlers in the form that the contract of the endpoint documents. */
export class DocumentedErrors extends HttpApiMiddleware.Service<DocumentedErrors>()(
  "@care/domain/http/DocumentedErrors"
) {}

/** Requires the access token of a patient of the key's organization. It is inside the `Access` of partners. */
export class PatientAccess extends HttpApiMiddleware.Service<
  PatientAccess,
  { provides: SignedInPatient; requires: Partner }
>()("@care/domain/http/PatientAccess", { security: { accessToken: HttpApiSecurity.bearer } }) {}
