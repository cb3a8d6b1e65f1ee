import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { textUpTo } from "../http/Text.ts"
import { ResolvedStaffSession, SessionUnknown } from "./StaffSession.ts"

/** Internal: the sessions of staff, for the gateway. Resolving one counts as its use, unless nobody asked for the request. */
export class StaffSessionsApi extends HttpApiGroup.make("staffSessions")
  .add(
    HttpApiEndpoint.post("resolve", "/internal/v1/staff-sessions/resolve", {
      payload: Schema.Struct({
        token: textUpTo(lengths.reference),
        isUnattended: Schema.optionalKey(Schema.Boolean)
      }),
      success: ResolvedStaffSession,
      error: SessionUnknown.pipe(HttpApiSchema.status(404))
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}
