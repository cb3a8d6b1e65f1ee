import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { OperatorIdentity, PartnerIdentity, ServiceIdentity } from "./Identity.ts"

/** The partner who makes the request. */
export class Partner extends Context.Service<Partner, PartnerIdentity>()("@care/domain/http/Partner") {}

/** The operator who makes the request. */
export class Operator extends Context.Service<Operator, OperatorIdentity>()("@care/domain/http/Operator") {}

/** The service that makes the call. */
export class Caller extends Context.Service<Caller, ServiceIdentity>()("@care/domain/http/Caller") {}

/** Only requests that the gateway let in with an organization's key. */
export class PartnerAccess extends HttpApiMiddleware.Service<PartnerAccess, { provides: Partner }>()(
  "@care/domain/http/PartnerAccess"
) {}

/** Only requests that the gateway let in with the admin token. */
export class OperatorAccess extends HttpApiMiddleware.Service<OperatorAccess, { provides: Operator }>()(
  "@care/domain/http/OperatorAccess"
) {}

/** Only calls of the other services and the gateway. */
export class ServiceAccess extends HttpApiMiddleware.Service<ServiceAccess, { provides: Caller }>()(
  "@care/domain/http/ServiceAccess"
) {}

/** Turns a request that does not decode into the validation body that the endpoint's own error list documents. */
export class DocumentedErrors extends HttpApiMiddleware.Service<DocumentedErrors>()(
  "@care/domain/http/DocumentedErrors"
) {}
