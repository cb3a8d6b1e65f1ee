import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { OrganizationTroubles, TroublesCursor } from "./OrganizationTroubles.ts"

/** Internal: the organizations of a cell at which something is wrong, for the gateway. */
export class TroubleLookupApi extends HttpApiGroup.make("troubleLookup")
  .add(
    // Most troubles first. The gateway requests one more than its page shows.
    HttpApiEndpoint.get("list", "/internal/v1/troubles", {
      query: {
        cursor: Schema.optionalKey(TroublesCursor),
        limit: Schema.FiniteFromString.check(Schema.isInt())
      },
      success: Schema.Array(OrganizationTroubles)
    }).annotate(StandbyRead, standbyReads.counts)
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}
