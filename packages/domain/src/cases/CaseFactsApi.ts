import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { PersonFact } from "../auth/Person.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { OrganizationId, UserId } from "../Ids.ts"

/** Internal: what the other services ask about cases, and tell of what matters to them. */
export class CaseFactsApi extends HttpApiGroup.make("caseFacts")
  .add(
    HttpApiEndpoint.get("profileLock", "/internal/v1/organizations/:organizationId/patients/:userId/profile-lock", {
      params: { organizationId: OrganizationId, userId: UserId },
      success: Schema.Struct({ isLocked: Schema.Boolean })
    }),
    // How somebody is shown from now on; an older version than the one that is kept changes nothing. Of a provider: cases that
    // wait are tried again, once for each version.
    HttpApiEndpoint.post("personChanged", "/internal/v1/people", {
      payload: PersonFact,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}
