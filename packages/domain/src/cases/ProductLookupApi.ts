import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { OrganizationId, ProductId } from "../Ids.ts"

/** Internal: whether an organization has a product. */
export class ProductLookupApi extends HttpApiGroup.make("productLookup")
  .add(
    HttpApiEndpoint.get("product", "/internal/v1/organizations/:organizationId/products/:productId/known", {
      params: { organizationId: OrganizationId, productId: ProductId },
      success: Schema.Struct({ isKnown: Schema.Boolean })
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of cases that its callers load: this group alone. */
export const productLookupApi = HttpApi.make("cases").add(ProductLookupApi)
