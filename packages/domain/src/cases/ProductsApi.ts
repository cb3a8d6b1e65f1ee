import { Schema, Struct } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { EntityTag } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, keyRefused } from "../http/commonErrors.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok } from "../http/ok.ts"
import { pageFields } from "../http/Page.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { CatalogueQuery } from "./CatalogueApi.ts"
import { Product } from "./Product.ts"

/** A product as its organization's systems see it. */
export const PartnerProduct = Schema.Struct(Struct.omit(Product.fields, ["organizationId"])).annotate({
  identifier: "PartnerProduct"
})
export type PartnerProduct = typeof PartnerProduct.Type

export class ProductsApi extends HttpApiGroup.make("products")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/products", {
      query: CatalogueQuery,
      success: ok(pageFields(PartnerProduct)),
      error: [...keyRefused, mistakesAs(invalidRequest, "A parameter is malformed"), ...broken]
    })
      .annotate(EntityTag, true)
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List products")
      .annotate(
        OpenApi.Description,
        "Lists the organization's products, oldest first. New cases name the `id` of products that are not archived; `isArchived=true` lists the archived ones. `price` is in major units of `currency`."
      )
  )
  .annotate(OpenApi.Title, "Products")
  .annotate(OpenApi.Description, "The products that the organization's cases are about.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
