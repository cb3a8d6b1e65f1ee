import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { OrganizationId } from "../Ids.ts"

/**
 * Internal: copies what is new in the catalogue of a live organization into its sandbox, which is that for which the caller works. It may be
 * repeated.
 */
export class CatalogueCopiesApi extends HttpApiGroup.make("catalogueCopies")
  .add(
    HttpApiEndpoint.post("copy", "/internal/v1/catalogue-copies", {
      payload: Schema.Struct({ liveOrganizationId: OrganizationId }),
      success: Schema.Struct({})
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of cases that its callers load: this group alone. */
export const catalogueCopiesApi = HttpApi.make("cases").add(CatalogueCopiesApi)
