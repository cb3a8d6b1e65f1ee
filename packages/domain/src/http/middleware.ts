import { Context } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import type { VerifiedClaims } from "./AccessClaims.ts"
import type { Partner } from "./callers.ts"

/** The patient who makes the request, by the claims of the access token. */
export class SignedInPatient extends Context.Service<SignedInPatient, VerifiedClaims>()(
  "@care/domain/http/SignedInPatient"
) {}

/** Turns a request that does not decode into the validation body that the endpoint's own error list documents. */
export class DocumentedErrors extends HttpApiMiddleware.Service<DocumentedErrors>()(
  "@care/domain/http/DocumentedErrors"
) {}

/**
 * Only requests of a patient who signed in through the organization of the key: `Authorization: Bearer` with an access
 * token. Inside the `Access` of partners; the endpoint lists `AccessTokenRejected`.
 */
export class PatientAccess extends HttpApiMiddleware.Service<
  PatientAccess,
  { provides: SignedInPatient; requires: Partner }
>()("@care/domain/http/PatientAccess", { security: { accessToken: HttpApiSecurity.bearer } }) {}
