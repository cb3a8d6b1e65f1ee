import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import type { VerifiedClaims } from "./AccessClaims.ts"
import type { OperatorIdentity, PartnerIdentity, ServiceIdentity } from "./Identity.ts"

/** The partner who makes the request. */
export class Partner extends Context.Service<Partner, PartnerIdentity>()("@care/domain/http/Partner") {}

/** The operator who makes the request. */
export class Operator extends Context.Service<Operator, OperatorIdentity>()("@care/domain/http/Operator") {}

/** The service that makes the call. */
export class Caller extends Context.Service<Caller, ServiceIdentity>()("@care/domain/http/Caller") {}

/** The patient who makes the request, by the claims of the access token. */
export class SignedInPatient extends Context.Service<SignedInPatient, VerifiedClaims>()(
  "@care/domain/http/SignedInPatient"
) {}

/** Only requests that the gateway let in with an organization's key. */
export class PartnerAccess extends HttpApiMiddleware.Service<PartnerAccess, { provides: Partner }>()(
  "@care/domain/http/PartnerAccess"
) {}

/** Only requests that the gateway let in with the admin token. */
export class OperatorAccess extends HttpApiMiddleware.Service<OperatorAccess, { provides: Operator }>()(
  "@care/domain/http/OperatorAccess"
) {}

/** Only requests that the gateway let in because of a signed link. */
export class LinkAccess extends HttpApiMiddleware.Service<LinkAccess>()("@care/domain/http/LinkAccess") {}

/** Only calls of the other services and the gateway. */
export class ServiceAccess extends HttpApiMiddleware.Service<ServiceAccess, { provides: Caller }>()(
  "@care/domain/http/ServiceAccess"
) {}

/** Turns a request that does not decode into the validation body that the endpoint's own error list documents. */
export class DocumentedErrors extends HttpApiMiddleware.Service<DocumentedErrors>()(
  "@care/domain/http/DocumentedErrors"
) {}

/**
 * Only requests of a patient who signed in through the organization of the key: `Authorization: Bearer` with an access
 * token. Inside `PartnerAccess`; the endpoint lists `AccessTokenRejected`.
 */
export class PatientAccess extends HttpApiMiddleware.Service<
  PatientAccess,
  { provides: SignedInPatient; requires: Partner }
>()("@care/domain/http/PatientAccess", { security: { accessToken: HttpApiSecurity.bearer } }) {}
