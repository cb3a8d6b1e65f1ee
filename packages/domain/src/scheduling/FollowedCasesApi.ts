import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { CaseSnapshot } from "../cases/CaseSnapshot.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"

/** Internal: what cases tells scheduling of the cases that it follows. */
export class FollowedCasesApi extends HttpApiGroup.make("followedCases")
  .add(
    // How cases stand from now on; an older version than the one that is kept changes nothing.
    HttpApiEndpoint.post("changed", "/internal/v1/cases", {
      payload: Schema.Struct({ facts: Schema.Array(CaseSnapshot) }),
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}
