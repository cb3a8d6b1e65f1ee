import { Context } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type { ResolvedStaffSession } from "./StaffSession.ts"

/** The session of the request. */
export class SignedInStaff extends Context.Service<SignedInStaff, ResolvedStaffSession>()(
  "@care/domain/auth/SignedInStaff"
) {}

/** Requires a session of staff, `PENDING` or `ACTIVE`, by its cookie or as bearer token. */
export class StaffAccess extends HttpApiMiddleware.Service<StaffAccess, { provides: SignedInStaff }>()(
  "@care/domain/auth/StaffAccess"
) {}
