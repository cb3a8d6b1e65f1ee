import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { maxTroubles, OrganizationTroubles, troublesPosition } from "../cases/OrganizationTroubles.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { cellsCursorOf, PageQuery, pageWith } from "../http/Page.ts"
import { operatorErrors } from "../http/Problem.ts"

const TroublesCellsCursor = cellsCursorOf(troublesPosition)

export const TroublesQuery = { limit: PageQuery.limit, cursor: Schema.optionalKey(TroublesCellsCursor) }
export type TroublesQuery = Schema.Struct.Type<typeof TroublesQuery>

export class TroublesApi extends HttpApiGroup.make("troubles")
  .add(
    HttpApiEndpoint.get("list", "/admin/v1/troubles", {
      query: TroublesQuery,
      success: pageWith(OrganizationTroubles, TroublesCellsCursor),
      error: operatorErrors
    })
      .annotate(OpenApi.Summary, "List organizations with troubles")
      .annotate(
        OpenApi.Description,
        `List the live organizations at which something is wrong, those with the most troubles first. A count ends at ${maxTroubles}, which means that many or more. The counts are those of the moment: an organization whose troubles change while pages are read may appear twice or not at all.`
      )
  )
  .annotate(OpenApi.Title, "Admin: troubles")
  .annotate(OpenApi.Description, "What is wrong, across organizations.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
